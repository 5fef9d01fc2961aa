import { ponder } from "ponder:registry";
import { deploymentBlock, head } from "ponder:schema";
import { eq } from "ponder";

/** The database came back without blocks that it had committed. */
class LostBlocksError extends Error {
  override readonly name = "LostBlocksError";
}

/** The last live block that this process has indexed. */
let lastIndexedBlock: number | undefined;

ponder.on("Head:block", async ({ event, context: { chain, db } }) => {
  const { hash, parentHash } = event.block;
  // A standby that takes over may lack the last blocks, and their rows would be missing for good. An indexer that ends here
  // starts again from a final block.
  const number = Number(event.block.number);
  const [last] = await db.sql.select({ hash: head.hash }).from(head).where(eq(head.chainId, chain.id));
  // Ponder itself goes back after a reorganisation, and to try a range again.
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

ponder.on("DeploymentBlock:block", async ({ event, context: { chain, db } }) => {
  const row = { number: Number(event.block.number), hash: event.block.hash };
  await db
    .insert(deploymentBlock)
    .values({ chainId: chain.id, ...row })
    .onConflictDoUpdate(row);
});
