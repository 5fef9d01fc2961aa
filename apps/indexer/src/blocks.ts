import { ponder } from "ponder:registry";
import { deploymentBlock, head } from "ponder:schema";
import { eq } from "ponder";

/** The database came back without blocks that it had committed. */
class LostBlocksError extends Error {
  override readonly name = "LostBlocksError";
}

/** Whether this process has indexed a live block: before, the table may have an older one. */
let isFollowing = false;

ponder.on("Head:block", async ({ event, context: { chain, db } }) => {
  const { hash, parentHash } = event.block;
  // Ponder commits with `synchronous_commit = off`: a PostgreSQL that crashes, or a standby that takes over, may lack the
  // last blocks, and their rows would be missing for good. An indexer that ends here starts again from a final block.
  const [last] = await db.sql.select({ hash: head.hash }).from(head).where(eq(head.chainId, chain.id));
  if (isFollowing && last?.hash !== parentHash && last?.hash !== hash) {
    throw new LostBlocksError(
      `The database has lost blocks before ${event.block.number}: it ends at ${last?.hash}.`,
    );
  }
  isFollowing = true;
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
