import { ponder } from "ponder:registry";
import { head } from "ponder:schema";

ponder.on("Head:block", async ({ event, context: { chain, db } }) => {
  const { hash } = event.block;
  const row = { number: Number(event.block.number), hash, timestamp: Number(event.block.timestamp) };
  await db
    .insert(head)
    .values({ chainId: chain.id, ...row })
    .onConflictDoUpdate(row);
});
