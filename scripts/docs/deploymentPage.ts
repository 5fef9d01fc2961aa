import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { metrics } from "../../packages/server/src/metrics.ts";
import { rootDirectory } from "../stack/processes.ts";
import { replaceBlock } from "./replaceBlock.ts";

type Metric = { name: string; labelNames?: readonly string[] };

const PREFIX = "app_registry_";
const workerMetrics = /name: "(?<name>\w+)",\s+help: "[^"]+",\s+(?:labelNames: \[(?<labels>[^\]]*)\])?/g;

/** Returns the text of docs/deployment.md with the metrics of the processes. */
export async function renderDeploymentPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/deployment.md"), "utf8");
  const worker = await readFile(join(rootDirectory, "apps/indexer/worker/metrics.ts"), "utf8");
  const all = [
    ...(metrics().registry.getMetricsAsArray() as unknown as Metric[]),
    ...[...worker.matchAll(workerMetrics)].map(({ groups }) => {
      const { name = "", labels = "" } = groups ?? {};
      return { name, labelNames: [...labels.matchAll(/\w+/g)].map(([label]) => label) };
    }),
  ];
  const names = all
    .filter(({ name }) => name.startsWith(PREFIX))
    .map(({ name, labelNames = [] }) => {
      const labels = labelNames.length > 0 ? `{${labelNames.join(",")}}` : "";
      return `\`${name.slice(PREFIX.length)}${labels}\``;
    });
  return replaceBlock(page, "metrics", `${names.join(", ")}.`);
}
