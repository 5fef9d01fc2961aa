/**
 * Finds the first block after `low` from which `holds` stays true, or `high` if there is no earlier one. Starts with
 * the newest blocks, whose state every node has.
 */
export async function findBlock(
  low: number,
  high: number,
  holds: (block: number) => Promise<boolean>,
): Promise<number> {
  let [before, after] = [low, high];
  for (let step = 1; after - before > 1; step *= 2) {
    const block = Math.max(after - step, Math.floor((before + after) / 2));
    if (await holds(block)) after = block;
    else before = block;
  }
  return after;
}
