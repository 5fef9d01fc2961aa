import { ponder } from "ponder:registry";
import { challenge, dataHashAttestation, didAttestation, issuer, rejection, vouch } from "ponder:schema";
import { and, eq, isNull } from "ponder";

ponder.on("ResolverWithStore:IssuerAdded", async ({ event, context: { db } }) => {
  const { issuer: address, epoch } = event.args;
  const added = { epoch, authorised: true, addedAt: Number(event.block.timestamp), removedAt: null };
  await db
    .insert(issuer)
    .values({ address, ...added })
    .onConflictDoUpdate(added);
});

ponder.on("ResolverWithStore:IssuerRemoved", async ({ event, context: { db } }) => {
  await db
    .update(issuer, { address: event.args.issuer })
    .set({ authorised: false, removedAt: Number(event.block.timestamp) });
});

ponder.on("ResolverWithStore:DIDAttested", async ({ event, context: { db } }) => {
  const { didHash, controller, issuer: address } = event.args;
  const attested = {
    issuerEpoch: (await db.find(issuer, { address }))?.epoch ?? 0,
    attestedAt: Number(event.args.attestedAt),
    expiresAt: Number(event.args.expiresAt),
    revokedAt: null,
    oustedAt: null,
    transactionHash: event.transaction.hash,
  };
  await db
    .insert(didAttestation)
    .values({ didHash, controller, issuer: address, ...attested })
    .onConflictDoUpdate(attested);
});

ponder.on("ResolverWithStore:DIDRevoked", async ({ event, context: { db } }) => {
  await db.update(didAttestation, event.args).set({ revokedAt: Number(event.block.timestamp) });
});

ponder.on("ResolverWithStore:DataHashAttested", async ({ event, context: { db } }) => {
  const { didHash, dataHash, issuer: address } = event.args;
  const attested = {
    issuerEpoch: (await db.find(issuer, { address }))?.epoch ?? 0,
    attestedAt: Number(event.args.attestedAt),
    expiresAt: Number(event.args.expiresAt),
    revokedAt: null,
    transactionHash: event.transaction.hash,
  };
  await db
    .insert(dataHashAttestation)
    .values({ didHash, dataHash, issuer: address, ...attested })
    .onConflictDoUpdate(attested);
});

ponder.on("ResolverWithStore:DataHashRevoked", async ({ event, context: { db } }) => {
  await db.update(dataHashAttestation, event.args).set({ revokedAt: Number(event.block.timestamp) });
});

ponder.on("ResolverWithStore:ControllerVouched", async ({ event, context: { db } }) => {
  const vouchedAt = Number(event.block.timestamp);
  await db
    .insert(vouch)
    .values({ ...event.args, vouchedAt })
    .onConflictDoUpdate({ vouchedAt });
});

ponder.on("ResolverWithStore:ControllerRejected", async ({ event, context: { db } }) => {
  const rejectedAt = Number(event.block.timestamp);
  await db
    .insert(rejection)
    .values({ ...event.args, rejectedAt })
    .onConflictDoUpdate({ rejectedAt });
});

ponder.on("ResolverWithStore:DIDChallenged", async ({ event, context: { db } }) => {
  const { didHash, incumbent, challenger } = event.args;
  const opened = {
    openedAt: Number(event.block.timestamp),
    resolvableFrom: Number(event.args.resolvableFrom),
    voidFrom: Number(event.args.voidFrom),
    resolvedAt: null,
    won: null,
    challengerScore: null,
    incumbentAttestations: null,
  };
  await db
    .insert(challenge)
    .values({ didHash, incumbent, challenger, ...opened })
    .onConflictDoUpdate(opened);
});

ponder.on("ResolverWithStore:ChallengeResolved", async ({ event, context: { db } }) => {
  const { didHash, incumbent, challenger, won } = event.args;
  const resolvedAt = Number(event.block.timestamp);
  await db.update(challenge, { didHash, incumbent, challenger }).set({
    resolvedAt,
    won,
    challengerScore: Number(event.args.challengerScore),
    incumbentAttestations: Number(event.args.incumbentAttestations),
  });
  if (!won) return;
  // Read in SQL, but written by key: a write in SQL would empty Ponder's cache of every table.
  const attested = await db.sql
    .select({ issuer: didAttestation.issuer })
    .from(didAttestation)
    .where(
      and(
        eq(didAttestation.didHash, didHash),
        eq(didAttestation.controller, incumbent),
        isNull(didAttestation.revokedAt),
      ),
    );
  for (const { issuer: address } of attested) {
    const key = { didHash, controller: incumbent, issuer: address };
    await db.update(didAttestation, key).set({ oustedAt: resolvedAt });
  }
});
