import { ponder } from "ponder:registry";
import {
  challenge,
  dataHashAttestation,
  didAttestation,
  issuer,
  objection,
  ousting,
  vouch,
} from "ponder:schema";
import { and, eq, isNotNull, sql } from "ponder";
import { zeroAddress } from "viem";
import { refreshEvidence } from "./control/evidence.ts";
import { finishRun, readRun } from "./control/runs.ts";

ponder.on("ResolverWithStore:DIDAttested", async ({ event, context: { db } }) => {
  const { didHash, controller, issuer } = event.args;
  const startedAt = Number(event.args.startedAt);
  const before = await db.find(didAttestation, { didHash, controller, issuer });
  // Only a run that is not ended is renewed.
  const attested = {
    startedAt,
    statedAt: Number(event.args.statedAt),
    settlesAt: Number(event.args.settlesAt),
    expiresAt: Number(event.args.expiresAt),
    endedAt: null,
    isEndFinal: false,
    transactionHash: event.transaction.hash,
  };
  await db
    .insert(didAttestation)
    .values({ didHash, controller, issuer, ...attested, vouched: false })
    .onConflictDoUpdate((run) => ({
      ...attested,
      vouched: run.vouched && run.startedAt === startedAt,
    }));
  if (before?.startedAt !== startedAt) await refreshEvidence(db, didHash, Number(event.block.timestamp));
});

ponder.on("ResolverWithStore:DIDRevoked", async ({ event, context: { db } }) => {
  const { didHash, controller, issuer } = event.args;
  const revokedAt = Number(event.block.timestamp);
  const revoked = { statedAt: Number(event.args.statedAt), transactionHash: event.transaction.hash };
  await db
    .insert(didAttestation)
    .values({
      ...{ didHash, controller, issuer, ...revoked },
      ...{ endedAt: revokedAt, isEndFinal: false, vouched: false },
    })
    .onConflictDoUpdate(({ endedAt }) => ({ ...revoked, endedAt: endedAt ?? revokedAt }));
  await refreshEvidence(db, didHash, revokedAt);
});

ponder.on("ResolverWithStore:DIDAttestationEnded", async ({ event, context: { db } }) => {
  const now = Number(event.block.timestamp);
  const by = await db.find(issuer, { address: event.args.issuer });
  await db.update(didAttestation, event.args).set((run) => finishRun(run, by?.distrustedSince ?? null, now));
  await refreshEvidence(db, event.args.didHash, now);
});

ponder.on("ResolverWithStore:DataHashAttested", async ({ event, context: { db } }) => {
  const { didHash, dataHash, issuer } = event.args;
  const attested = {
    startedAt: Number(event.args.startedAt),
    statedAt: Number(event.args.statedAt),
    expiresAt: Number(event.args.expiresAt),
    endedAt: null,
    isEndFinal: false,
    transactionHash: event.transaction.hash,
  };
  await db
    .insert(dataHashAttestation)
    .values({ didHash, dataHash, issuer, ...attested })
    .onConflictDoUpdate(attested);
  await refreshEvidence(db, didHash, Number(event.block.timestamp));
});

ponder.on("ResolverWithStore:DataHashRevoked", async ({ event, context: { db } }) => {
  const { didHash, dataHash, issuer } = event.args;
  const revokedAt = Number(event.block.timestamp);
  const revoked = { statedAt: Number(event.args.statedAt), transactionHash: event.transaction.hash };
  await db
    .insert(dataHashAttestation)
    .values({ didHash, dataHash, issuer, ...revoked, endedAt: revokedAt, isEndFinal: false })
    .onConflictDoUpdate(({ endedAt }) => ({ ...revoked, endedAt: endedAt ?? revokedAt }));
  await refreshEvidence(db, didHash, revokedAt);
});

ponder.on("ResolverWithStore:DataHashAttestationEnded", async ({ event, context: { db } }) => {
  const now = Number(event.block.timestamp);
  const by = await db.find(issuer, { address: event.args.issuer });
  await db
    .update(dataHashAttestation, event.args)
    .set((run) => finishRun(run, by?.distrustedSince ?? null, now));
  await refreshEvidence(db, event.args.didHash, now);
});

ponder.on("ResolverWithStore:ControllerVouched", async ({ event, context: { db } }) => {
  const { didHash, controller, voucher } = event.args;
  const vouchedAt = Number(event.block.timestamp);
  await db
    .insert(vouch)
    .values({ didHash, controller, voucher, vouchedAt })
    .onConflictDoUpdate({ vouchedAt });
  // Read in SQL, but written by key: a write in SQL would empty Ponder's cache of every table.
  const live = await db.sql
    .select({ issuer: didAttestation.issuer })
    .from(didAttestation)
    .innerJoin(issuer, eq(issuer.address, didAttestation.issuer))
    .where(
      and(
        eq(didAttestation.didHash, didHash),
        eq(didAttestation.controller, controller),
        readRun(didAttestation, issuer.distrustedSince).isLiveAt(sql`${vouchedAt}`),
      ),
    );
  for (const run of live) {
    await db.update(didAttestation, { didHash, controller, ...run }).set({ vouched: true });
  }
});

ponder.on("ResolverWithStore:ControllerObjected", async ({ event, context: { db } }) => {
  const { didHash, account, author, replaced } = event.args;
  const objectedAt = Number(event.block.timestamp);
  const objected = { objectedAt, endedAt: null, replacedBy: null };
  await db
    .insert(objection)
    .values({ didHash, account, author, ...objected })
    .onConflictDoUpdate(objected);
  if (replaced === zeroAddress) return;
  await db
    .update(objection, { didHash, account, author: replaced })
    .set({ endedAt: objectedAt, replacedBy: author });
});

ponder.on("ResolverWithStore:ObjectionWithdrawn", async ({ event, context: { db } }) => {
  await db.update(objection, event.args).set({ endedAt: Number(event.block.timestamp) });
});

ponder.on("ResolverWithStore:DIDChallenged", async ({ event, context: { db } }) => {
  const { didHash, incumbent, challenger } = event.args;
  const opened = {
    openedAt: Number(event.block.timestamp),
    resolvableFrom: Number(event.args.resolvableFrom),
    voidFrom: Number(event.args.voidFrom),
    wonAt: null,
    score: null,
    standing: null,
  };
  await db
    .insert(challenge)
    .values({ didHash, incumbent, challenger, ...opened })
    .onConflictDoUpdate(opened);
});

ponder.on("ResolverWithStore:ControllerOusted", async ({ event, context: { db } }) => {
  const { didHash, incumbent, challenger, score, standing } = event.args;
  const oustedAt = Number(event.block.timestamp);
  await db
    .update(challenge, { didHash, incumbent, challenger })
    .set({ wonAt: oustedAt, score: Number(score), standing: Number(standing) });
  await db
    .insert(ousting)
    .values({ didHash, controller: incumbent, oustedAt })
    .onConflictDoUpdate({ oustedAt });
  const runs = await db.sql
    .select({ issuer: didAttestation.issuer, distrustedSince: issuer.distrustedSince })
    .from(didAttestation)
    .innerJoin(issuer, eq(issuer.address, didAttestation.issuer))
    .where(
      and(
        eq(didAttestation.didHash, didHash),
        eq(didAttestation.controller, incumbent),
        isNotNull(didAttestation.startedAt),
      ),
    );
  for (const { issuer, distrustedSince } of runs) {
    await db
      .update(didAttestation, { didHash, controller: incumbent, issuer })
      .set((run) => finishRun(run, distrustedSince, oustedAt));
  }
  await refreshEvidence(db, didHash, oustedAt);
});
