import { formatNumber, markdownTable } from "../results.ts";
import type { ReferenceFigures } from "./reference.ts";
import { type QueryName, queryNames } from "./requests.ts";
import type { Memory } from "./servers.ts";

/** A line of bench/results/search.json. */
export interface SearchFigure {
  backend: string;
  N: number;
  query: QueryName;
  connections: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
  rps: number;
}

/** Everything that a run found out. */
export interface SearchResults {
  figures: SearchFigure[];
  /** The indexer's with PGlite and 100,000 records, after it was searched. */
  indexerMemory: Memory | null;
  reference: ReferenceFigures | null;
}

/** The indexer's memory with PGlite stays below 1 GiB. */
const MEMORY_TARGET = 2 ** 30;

const MEBIBYTE = 2 ** 20;

/** A line of a table that compares a measured value with its target. */
export interface Comparison {
  name: string;
  value: number;
  target: number;
  unit: string;
}

/** Every target of which the run has a figure. */
export function comparisonsOf({ figures, indexerMemory }: SearchResults): Comparison[] {
  const ratios = ratiosOf(figures);
  if (indexerMemory === null) return ratios;
  const memory = (name: string, bytes: number): Comparison => ({
    ...{ name: `pglite 100,000 memory of the indexer, ${name}`, unit: "MiB" },
    ...{ value: bytes / MEBIBYTE, target: MEMORY_TARGET / MEBIBYTE },
  });
  return [...ratios, memory("searched", indexerMemory.resident), memory("peak", indexerMemory.peak)];
}

export const isMet = ({ value, target }: Comparison) => value <= target;

/** Tables in Markdown: the p95 of every query, the ratios with their targets, and the reference's way. */
export function formatResults(results: SearchResults): string {
  return [formatFigures(results.figures), formatComparisons(results), formatReference(results)]
    .filter((part) => part !== "")
    .join("\n\n");
}

function formatFigures(figures: readonly SearchFigure[]): string {
  const head = queryNames.map((name) => `\`${name}\`:`);
  const placeOf = ({ backend, N, connections }: SearchFigure) => [backend, formatNumber(N), connections];
  const places = new Map(figures.map((figure) => [placeOf(figure).join(), placeOf(figure)]));
  const rows = [...places].map(([key, place]) => {
    const inPlace = figures.filter((figure) => placeOf(figure).join() === key);
    const cells = queryNames.map((query) => {
      const figure = inPlace.find((candidate) => candidate.query === query);
      return figure ? `${formatNumber(figure.p50_ms)} / ${formatNumber(figure.p95_ms)}` : "";
    });
    return [...place, ...cells];
  });
  return markdownTable(["Database", "Records:", "Connections:", ...head], rows);
}

function formatComparisons(results: SearchResults): string {
  const rows = comparisonsOf(results).map((comparison) => {
    const { name, value, target, unit } = comparison;
    const sizes = [value, target].map((size) => `${formatNumber(size)} ${unit}`);
    return [name, ...sizes, isMet(comparison) ? "met" : "missed"];
  });
  const head = ["p95 at 16 connections", "Measured:", "Target, at most:", ""];
  return rows.length === 0 ? "" : markdownTable(head, rows);
}

function formatReference({ reference }: SearchResults): string {
  if (!reference) return "";
  const { records, index_ms, chain_ms, chain_16_ms } = reference;
  const title = `One search for three traits among ${formatNumber(records)} records, median`;
  const ways: [string, number][] = [
    ["`/api/search`", index_ms],
    ["paging the chain and asking each app, one call after the other", chain_ms],
    ["the same, 16 calls at a time", chain_16_ms],
  ];
  const rows = ways.map(([name, time]) => [name, formatNumber(time), formatNumber(time / index_ms)]);
  return markdownTable([title, "Milliseconds:", "Times the index:"], rows);
}

const traitQueries: QueryName[] = ["trait-interface", "traits-3-all"];
const textQueries: QueryName[] = ["text", "text-trait"];

/** The number of connections that targets are stated for. */
const CONNECTIONS = 16;

/** Queries of a place, what each is compared with (`same`: itself, elsewhere), and the most that the ratio may be. */
const targets: [
  place: string,
  queries: QueryName[],
  other: string,
  query: QueryName | "same",
  most: number,
][] = [
  ["postgres 100,000", traitQueries, "postgres 100,000", "floor", 3],
  ["postgres 100,000", textQueries, "postgres 100,000", "floor", 6],
  ["postgres 1,000,000", [...traitQueries, "newest", "deep"], "postgres 100,000", "same", 2],
  ["postgres 1,000,000", textQueries, "postgres 100,000", "same", 3],
  ["postgres 100,000", ["deep"], "postgres 100,000", "newest", 1.5],
  ["postgres 1,000,000", ["deep"], "postgres 1,000,000", "newest", 1.5],
  ["pglite 100,000", traitQueries, "pglite 100,000", "floor", 6],
];

/** Every ratio that has a target, of those sizes that were measured: p95 at 16 connections. */
function ratiosOf(figures: readonly SearchFigure[]): Comparison[] {
  const atConnections = figures.filter(({ connections }) => connections === CONNECTIONS);
  const p95 = new Map(
    atConnections.map(({ backend, N, query, p95_ms }) => [`${backend} ${formatNumber(N)} ${query}`, p95_ms]),
  );
  return targets.flatMap(([place, queries, elsewhere, against, target]) =>
    queries.flatMap((query) => {
      const name = `${place} ${query}`;
      const other = `${elsewhere} ${against === "same" ? query : against}`;
      const [above, below] = [p95.get(name), p95.get(other)];
      if (above === undefined || below === undefined) return [];
      return [{ name: `${name} : ${other}`, value: above / below, target, unit: "times" }];
    }),
  );
}
