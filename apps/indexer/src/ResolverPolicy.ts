import { ponder } from "ponder:registry";
import { issuer, resolverLimit } from "ponder:schema";

ponder.on("ResolverWithStore:IssuerAdded", async ({ event, context: { db } }) => {
  const addedAt = Number(event.block.timestamp);
  await db.insert(issuer).values({ address: event.args.issuer, status: "active", addedAt });
});

ponder.on("ResolverWithStore:IssuerRetired", async ({ event, context: { db } }) => {
  await db.update(issuer, { address: event.args.issuer }).set({ status: "retired" });
});

ponder.on("ResolverWithStore:IssuerDistrusted", async ({ event, context: { db } }) => {
  const distrustedSince = Number(event.args.since);
  await db.update(issuer, { address: event.args.issuer }).set({ status: "distrusted", distrustedSince });
});

ponder.on("ResolverWithStore:MaxTTLUpdated", async ({ event, context: { db } }) => {
  const set = { seconds: Number(event.args.newTTL), updatedAt: Number(event.block.timestamp) };
  await db
    .insert(resolverLimit)
    .values({ name: "max_ttl", ...set })
    .onConflictDoUpdate(set);
});

ponder.on("ResolverWithStore:MaturationUpdated", async ({ event, context: { db } }) => {
  const set = { seconds: Number(event.args.newMaturation), updatedAt: Number(event.block.timestamp) };
  await db
    .insert(resolverLimit)
    .values({ name: "maturation", ...set })
    .onConflictDoUpdate(set);
});

ponder.on("ResolverWithStore:ChallengePeriodUpdated", async ({ event, context: { db } }) => {
  const set = { seconds: Number(event.args.newPeriod), updatedAt: Number(event.block.timestamp) };
  await db
    .insert(resolverLimit)
    .values({ name: "challenge_period", ...set })
    .onConflictDoUpdate(set);
});
