import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { rootDirectory } from "../stack/processes.ts";
import { replaceBlock } from "./replaceBlock.ts";

/** Returns the text of docs/alerts.md with the rules of Prometheus. */
export async function renderAlertsPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/alerts.md"), "utf8");
  const rules = await readFile(join(rootDirectory, "deploy/prometheus/alerts.yml"), "utf8");
  const [, ...alerts] = rules.split(/^ +- alert: /m);
  return replaceBlock(page, "alerts", alerts.map(renderAlert).join("\n\n"));
}

function renderAlert(rule: string): string {
  const read = (pattern: RegExp) => pattern.exec(rule)?.[1]?.replace(/\s+/g, " ").trim() ?? "";
  const name = read(/^(\w+)$/m);
  const duration = read(/^ +for: (\S+)$/m);
  const severity = read(/severity: (\w+)/);
  const summary = read(/^ +summary: "?(.+?)"?$/m);
  const description = read(/^ +description: >-\n((?: {12}.*\n)+)/m).replace(
    /docs\/([\w-]+\.md)(#[\w-]+)?/g,
    "[$1]($1$2)",
  );
  const condition = duration ? `, for ${duration}` : "";
  return [
    `### ${name}`,
    `**${severity}**${condition}: ${summary.replace(/\{\{ \$(?:labels\.)?(\w+)[^}]*\}\}/g, "`$1`")}.`,
    description,
  ].join("\n\n");
}
