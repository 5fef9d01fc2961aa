import { ponder } from "ponder:registry";
import { deploymentBlock, head } from "ponder:schema";

ponder.on("Head:block", async ({ event, context: { chain, db } }) => {
  const { hash } = event.block;
  const row = { number: Number(event.block.number), hash, timestamp: Number(event.block.timestamp) };
  await db
    .insert(head)
    .values({ chainId: chain.id, ...row })
    .onConflictDoUpdate(row);
});

ponder.on("DeploymentBlock:block", async ({ event, context: { chain, db } }) => {
  const row = { number: Number(event.block.number), hash: event.block.hash };
  await db
    .insert(deploymentBlock)
    .values({ chainId: chain.id, ...row })
    .onConflictDoUpdate(row);
});
