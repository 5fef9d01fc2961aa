import { ponder } from "ponder:registry";
import { deploymentBlock, head } from "ponder:schema";
import { definitionsHash } from "@app-registry/index/tables";
import { eq } from "ponder";

/** Thrown if the database has lost blocks that it had committed. */
class LostBlocksError extends Error {
  override readonly name = "LostBlocksError";
}

/** Last live block that this process indexed. */
let lastIndexedBlock: number | undefined;

ponder.on("Head:block", async ({ event, context: { chain, db } }) => {
  const { hash, parentHash } = event.block;
  // After a failover, the standby may lack the last blocks, whose rows would stay missing. Exit, because Ponder then
  // restarts from a final block.
  const number = Number(event.block.number);
  const [last] = await db.sql.select({ hash: head.hash }).from(head).where(eq(head.chainId, chain.id));
  // Accept other numbers: Ponder goes back after a reorganization and to retry a range.
  if (lastIndexedBlock !== undefined && number === lastIndexedBlock + 1 && last?.hash !== parentHash) {
    throw new LostBlocksError(`The database has lost blocks before ${number}: it ends at ${last?.hash}.`);
  }
  lastIndexedBlock = number;
  const row = { number, hash, timestamp: Number(event.block.timestamp) };
  await db
    .insert(head)
    .values({ chainId: chain.id, ...row })
    .onConflictDoUpdate(row);
});

ponder.on("DeploymentBlock:block", async ({ event, context: { chain, contracts, db } }) => {
  const row = {
    ...{ number: Number(event.block.number), hash: event.block.hash },
    ...{ registry: contracts.AppRegistry.address, definitions: definitionsHash },
  };
  await db
    .insert(deploymentBlock)
    .values({ chainId: chain.id, ...row })
    .onConflictDoUpdate(row);
});
