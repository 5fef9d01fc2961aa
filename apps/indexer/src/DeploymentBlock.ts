import { ponder } from "ponder:registry";
import { deploymentBlock } from "ponder:schema";

ponder.on("DeploymentBlock:block", async ({ event, context: { chain, db } }) => {
  const row = { number: Number(event.block.number), hash: event.block.hash };
  await db
    .insert(deploymentBlock)
    .values({ chainId: chain.id, ...row })
    .onConflictDoUpdate(row);
});
