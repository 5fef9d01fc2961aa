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
