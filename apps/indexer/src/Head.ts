import { ponder } from "ponder:registry";
import { head } from "ponder:schema";

ponder.on("Head:block", async ({ event, context: { chain, db } }) => {
  const number = Number(event.block.number);
  const timestamp = Number(event.block.timestamp);
  await db
    .insert(head)
    .values({ chainId: chain.id, number, timestamp })
    .onConflictDoUpdate({ number, timestamp });
});
