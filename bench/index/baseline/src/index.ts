import { globSync, readFileSync } from "node:fs";
import { ponder } from "ponder:registry";

/** Every event that the indexer handles, as its sources name them, and nothing done with it. */
const sources = new URL("../../../../apps/indexer/src/", import.meta.url);
for (const file of globSync("*.ts", { cwd: sources })) {
  const source = readFileSync(new URL(file, sources), "utf8");
  for (const [, event] of source.matchAll(/^ponder\.on\("(\w+:\w+)"/gm)) {
    // Its own heartbeat is no event of the contracts.
    if (event !== "Head:block") ponder.on(event as "AppRegistry:AppMinted", async () => {});
  }
}
