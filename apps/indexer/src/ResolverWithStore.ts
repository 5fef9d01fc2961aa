import { ponder } from "ponder:registry";
import { block, challenge, dataHashAttestation, didAttestation, issuer, resolverLimit } from "ponder:schema";
import { RENEWAL_GRACE_SECONDS } from "@app-registry/sdk";
import { and, eq, isNotNull } from "ponder";
import { attestRun, finalizeRun, revokeRun, updateMissingEvidence } from "./control.ts";

ponder.on("ResolverWithStore:DIDAttested", async ({ event, context: { db } }) => {
  const { didHash, controller, issuer } = event.args;
  const now = Number(event.block.timestamp);
  const before = await db.find(didAttestation, { didHash, controller, issuer });
  const attested = {
    ...attestRun(event.args, before, now),
    maturesAt: Number(event.args.maturesAt),
    transactionHash: event.transaction.hash,
  };
  await db
    .insert(didAttestation)
    .values({ didHash, controller, issuer, ...attested })
    .onConflictDoUpdate(attested);
  if (before?.startedAt !== attested.startedAt) await updateMissingEvidence(db, didHash, now, true);
});

ponder.on("ResolverWithStore:DIDRevoked", async ({ event, context: { db } }) => {
  const { didHash, controller, issuer } = event.args;
  const revokedAt = Number(event.block.timestamp);
  const revoked = {
    statedAt: Number(event.args.statedAt),
    revokedAt,
    transactionHash: event.transaction.hash,
  };
  await db
    .insert(didAttestation)
    .values({ didHash, controller, issuer, ...revoked, isEndFinal: false })
    .onConflictDoUpdate((run) => ({ ...revoked, endedAt: revokeRun(run, revokedAt, RENEWAL_GRACE_SECONDS) }));
  await updateMissingEvidence(db, didHash, revokedAt);
});

ponder.on("ResolverWithStore:DIDAttestationEnded", async ({ event, context: { db } }) => {
  const now = Number(event.block.timestamp);
  const by = await db.find(issuer, { address: event.args.issuer });
  await db
    .update(didAttestation, event.args)
    .set((run) => finalizeRun(run, by?.distrustedSince ?? null, now));
  await updateMissingEvidence(db, event.args.didHash, now);
});

ponder.on("ResolverWithStore:DataHashAttested", async ({ event, context: { db } }) => {
  const { didHash, dataHash, issuer } = event.args;
  const now = Number(event.block.timestamp);
  const before = await db.find(dataHashAttestation, { didHash, dataHash, issuer });
  const attested = { ...attestRun(event.args, before, now), transactionHash: event.transaction.hash };
  await db
    .insert(dataHashAttestation)
    .values({ didHash, dataHash, issuer, ...attested })
    .onConflictDoUpdate(attested);
  await updateMissingEvidence(db, didHash, now, true);
});

ponder.on("ResolverWithStore:DataHashRevoked", async ({ event, context: { db } }) => {
  const { didHash, dataHash, issuer } = event.args;
  const revokedAt = Number(event.block.timestamp);
  const revoked = {
    statedAt: Number(event.args.statedAt),
    revokedAt,
    transactionHash: event.transaction.hash,
  };
  await db
    .insert(dataHashAttestation)
    .values({ didHash, dataHash, issuer, ...revoked, isEndFinal: false })
    .onConflictDoUpdate((run) => ({ ...revoked, endedAt: revokeRun(run, revokedAt, 0) }));
  await updateMissingEvidence(db, didHash, revokedAt);
});

ponder.on("ResolverWithStore:DataHashAttestationEnded", async ({ event, context: { db } }) => {
  const now = Number(event.block.timestamp);
  const by = await db.find(issuer, { address: event.args.issuer });
  await db
    .update(dataHashAttestation, event.args)
    .set((run) => finalizeRun(run, by?.distrustedSince ?? null, now));
  await updateMissingEvidence(db, event.args.didHash, now);
});

ponder.on("ResolverWithStore:ControllerBlocked", async ({ event, context: { db } }) => {
  const { didHash, account, author } = event.args;
  const blocked = {
    author,
    blockedAt: Number(event.args.blockedAt),
    blockedUntil: Number(event.args.blockedUntil),
    weight: Number(event.args.weight),
    unblockedAt: null,
  };
  await db
    .insert(block)
    .values({ didHash, account, ...blocked })
    .onConflictDoUpdate(blocked);
});

ponder.on("ResolverWithStore:ControllerUnblocked", async ({ event, context: { db } }) => {
  const { didHash, account } = event.args;
  await db.update(block, { didHash, account }).set({ unblockedAt: Number(event.block.timestamp) });
});

ponder.on("ResolverWithStore:DIDChallenged", async ({ event, context: { db } }) => {
  const { didHash, incumbent, challenger } = event.args;
  const opened = {
    openedAt: Number(event.block.timestamp),
    resolvableFrom: Number(event.args.resolvableFrom),
    expiresAt: Number(event.args.expiresAt),
    wonAt: null,
    score: null,
    resistance: null,
  };
  await db
    .insert(challenge)
    .values({ didHash, incumbent, challenger, ...opened })
    .onConflictDoUpdate(opened);
});

ponder.on("ResolverWithStore:ControllerRemoved", async ({ event, context: { db } }) => {
  const { didHash, incumbent, challenger, score, resistance } = event.args;
  const removedAt = Number(event.block.timestamp);
  await db
    .update(challenge, { didHash, incumbent, challenger })
    .set({ wonAt: removedAt, score: Number(score), resistance: Number(resistance) });
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
      .set((run) => finalizeRun(run, distrustedSince, removedAt));
  }
  await updateMissingEvidence(db, didHash, removedAt);
});

ponder.on("ResolverWithStore:IssuerAdded", async ({ event, context: { db } }) => {
  const addedAt = Number(event.block.timestamp);
  await db.insert(issuer).values({ address: event.args.issuer, status: "active", addedAt });
});

ponder.on("ResolverWithStore:IssuerRetired", async ({ event, context: { db } }) => {
  await db.update(issuer, { address: event.args.issuer }).set({ status: "retired" });
});

ponder.on("ResolverWithStore:IssuerDistrusted", async ({ event, context: { db } }) => {
  const since = Number(event.args.since);
  await db.update(issuer, { address: event.args.issuer }).set(({ distrustedAt }) => ({
    status: "distrusted",
    distrustedSince: since,
    distrustedAt: distrustedAt ?? Number(event.block.timestamp),
  }));
});

ponder.on("ResolverWithStore:setup", async ({ context: { client, contracts, db } }) => {
  const { abi, address } = contracts.ResolverWithStore;
  // The values never change, so read the latest state: an RPC without archive data can't serve old blocks.
  const read = (functionName: "maxTTL" | "maturation" | "challengePeriod") =>
    client.readContract({ abi, address, functionName, cache: "immutable" }).then(Number);
  await db.insert(resolverLimit).values([
    { name: "max_ttl", seconds: await read("maxTTL") },
    { name: "maturation", seconds: await read("maturation") },
    { name: "challenge_period", seconds: await read("challengePeriod") },
  ]);
});
