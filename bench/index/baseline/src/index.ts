import { globSync, readFileSync } from "node:fs";
import { ponder } from "ponder:registry";

/** Registers an empty handler for every event name in the indexer's sources. */
const sources = new URL("../../../../apps/indexer/src/", import.meta.url);
for (const file of globSync("*.ts", { cwd: sources })) {
  const source = readFileSync(new URL(file, sources), "utf8");
  for (const [, event] of source.matchAll(/^ponder\.on\("(\w+:\w+)"/gm)) {
    // Skip the indexer's own block handler, which is not an event of the contracts.
    if (event !== "Head:block") ponder.on(event as "AppRegistry:AppMinted", async () => {});
  }
}
