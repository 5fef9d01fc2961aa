import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { IndexFigures } from "../../bench/index/run.ts";
import { formatNumber, markdownTable, readSnapshot } from "../../bench/results.ts";
import type { SearchFigure } from "../../bench/search/run.ts";
import { metrics } from "../../packages/server/src/metrics.ts";
import { variableGroups } from "../../packages/server/src/variables.ts";
import { rootDirectory } from "../stack/processes.ts";
import { runnerSchema } from "../supervisor/parts.ts";

/**
 * Replaces the text between the comments `<!-- name -->` and `<!-- /name -->` of a Markdown page.
 * @throws Error if the page has no such block, or several.
 */
export function replaceBlock(page: string, name: string, text: string): string {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest, ...others] = page.split(opening);
  const [, after, ...more] = rest?.split(closing) ?? [];
  if (before === undefined || after === undefined || others.length > 0 || more.length > 0) {
    throw new Error(`The page must have one block ${opening} … ${closing}`);
  }
  return `${before}${opening}\n${text}\n${closing}${after}`;
}

/** Escapes the character that ends a cell of a Markdown table, and joins lines. */
export const escapeCell = (text: string): string => text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");

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

type Property = { description?: string; enum?: string[] };

/** Returns the text of docs/configuration.md with the variables of the settings. */
export async function renderConfigurationPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/configuration.md"), "utf8");
  const groups = { ...variableGroups, "Only `pnpm start`": runnerSchema.shape };
  const sections = Object.entries(groups).map(([title, shape]) => {
    const schema = z.object(shape);
    const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    const defaults: Record<string, unknown> = schema.parse({});
    const rows = Object.entries(properties).map(([name, property]) =>
      describeVariable(name, property as Property, defaults[name]),
    );
    return `## ${title}\n\n${markdownTable(["Variable", "Meaning"], rows)}`;
  });
  return replaceBlock(page, "variables", sections.join("\n\n"));
}

function describeVariable(name: string, property: Property, standard: unknown): string[] {
  const { description = "", enum: choices } = property;
  if (description === "") throw new Error(`${name} has no description`);
  const values = choices ? ` (${choices.map((choice) => `\`${choice}\``).join(", ")})` : "";
  const meaning = `${description}${values}.`.replaceAll("<", "&lt;");
  const usual = standard === undefined ? "" : ` Default \`${standard}\`.`;
  return [`\`${name}\``, `${escapeCell(meaning)}${usual}`];
}

type Metric = { name: string; labelNames?: readonly string[] };

const PREFIX = "app_registry_";
const workerMetrics = /name: "(?<name>\w+)",\s+help: "[^"]+",\s+(?:labelNames: \[(?<labels>[^\]]*)\])?/g;

/** Returns the text of docs/deployment.md with the metrics of the processes. */
export async function renderDeploymentPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/deployment.md"), "utf8");
  const worker = await readFile(join(rootDirectory, "apps/indexer/worker/startDocumentWorker.ts"), "utf8");
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

/** Returns the text of docs/performance.md with the figures of the committed snapshots. */
export async function renderPerformancePage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/performance.md"), "utf8");
  const blocks = {
    search: formatSearches(await readSnapshot("search")),
    "index-figures": formatIndexFigures(await readSnapshot("index")),
  };
  return Object.entries(blocks).reduce((text, [name, block]) => replaceBlock(text, name, block), page);
}

const formatSearches = (figures: readonly SearchFigure[]): string =>
  markdownTable(
    ["Records:", "Search", "Per second:", "Bare server:", "p95, ms:", "Bare server:"],
    figures.map(({ records, name, rps, p95_ms, bare }) => [
      ...[formatNumber(records), `\`${name}\``],
      ...[rps, bare?.rps, p95_ms, bare?.p95_ms].map(formatNumber),
    ]),
  );

const formatIndexFigures = ({ events, lagSamples, ...figures }: IndexFigures): string =>
  markdownTable(
    ["", "Result:"],
    [
      [`events of the past a second, of ${formatNumber(events)}`, formatNumber(figures.backfill)],
      ["restart until `/ready`, s", formatNumber(figures.restart)],
      [`lag behind a receipt of ${lagSamples} services, p50, ms`, formatNumber(figures.lagP50)],
      ["the same, p95, ms", formatNumber(figures.lagP95)],
    ],
  );
