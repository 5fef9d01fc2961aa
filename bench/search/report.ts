import type { Figure } from "../load.ts";
import { formatNumber, markdownTable } from "../results.ts";
import type { ReferenceFigures } from "./reference.ts";

/** Row of bench/results/search.json. */
interface SearchFigure extends Omit<Figure, "name"> {
  backend: string;
  N: number;
  query: string;
  connections: number;
}

/** Results of a run. */
export interface SearchResults {
  figures: SearchFigure[];
  /** Current and peak memory of the indexer with PGlite and 100,000 records after searches, in bytes. */
  indexerMemory: { resident: number; peak: number } | null;
  reference: ReferenceFigures | null;
}

/** Limit of the indexer's memory with PGlite, in MiB. */
const MEMORY_TARGET = 1_024;
const MEBIBYTE = 2 ** 20;

/** Formats the tables of a run: the p95 of every query, the ratios with their targets, and the reference. */
export function formatResults(results: SearchResults): string {
  const parts = [formatFigures(results.figures), formatComparisons(results), formatReference(results)];
  return parts.filter((part) => part !== "").join("\n\n");
}

function formatFigures(figures: readonly SearchFigure[]): string {
  const names = [...new Set(figures.map(({ query }) => query))];
  const places = Object.entries(
    Object.groupBy(
      figures,
      ({ backend, N, connections }) => `${backend} | ${formatNumber(N)} | ${connections}`,
    ),
  );
  const rows = places.map(([place, inPlace = []]) => [
    place,
    ...names.map((name) => {
      const figure = inPlace.find(({ query }) => query === name);
      return figure ? `${formatNumber(figure.p50_ms)} / ${formatNumber(figure.p95_ms)}` : "";
    }),
  ]);
  const head = names.map((name) => `\`${name}\`:`);
  return markdownTable(["Database", "Records:", "Connections:", ...head], rows);
}

/** Formats every target for which the run has a figure. */
function formatComparisons({ figures, indexerMemory }: SearchResults): string {
  const rows = ratios(figures).map(([name, value, target]) => compare(name, value, target, "times"));
  if (indexerMemory) {
    const { resident, peak } = indexerMemory;
    for (const [name, bytes] of Object.entries({ searched: resident, peak })) {
      const memory = `pglite 100,000 memory of the indexer, ${name}`;
      rows.push(compare(memory, bytes / MEBIBYTE, MEMORY_TARGET, "MiB"));
    }
  }
  const head = ["p95 at 16 connections", "Measured:", "Target, at most:", ""];
  return rows.length === 0 ? "" : markdownTable(head, rows);
}

const compare = (name: string, value: number, target: number, unit: string) => [
  ...[name, `${formatNumber(value)} ${unit}`, `${formatNumber(target)} ${unit}`],
  value <= target ? "met" : "missed",
];

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

const traits = ["trait-interface", "traits-3-all"];
const texts = ["text", "text-trait"];

/** Number of connections to which the targets apply. */
const CONNECTIONS = 16;

/** Queries of a place, the place and query to compare with (default: the same query), and the limit of the ratio. */
const targets: [place: string, queries: string[], other: string, query: string | undefined, most: number][] =
  [
    ["postgres 100,000", traits, "postgres 100,000", "floor", 3],
    ["postgres 100,000", texts, "postgres 100,000", "floor", 6],
    ["postgres 1,000,000", [...traits, "newest", "deep"], "postgres 100,000", undefined, 2],
    ["postgres 1,000,000", texts, "postgres 100,000", undefined, 3],
    ["postgres 100,000", ["deep"], "postgres 100,000", "newest", 1.5],
    ["postgres 1,000,000", ["deep"], "postgres 1,000,000", "newest", 1.5],
    ["pglite 100,000", traits, "pglite 100,000", "floor", 6],
  ];

/** Returns every ratio of p95 at 16 connections that has a target, for the measured sizes. */
function ratios(figures: readonly SearchFigure[]): [name: string, value: number, target: number][] {
  const p95 = new Map(
    figures
      .filter(({ connections }) => connections === CONNECTIONS)
      .map(({ backend, N, query, p95_ms }) => [`${backend} ${formatNumber(N)} ${query}`, p95_ms]),
  );
  return targets.flatMap(([place, queries, elsewhere, against, target]) =>
    queries.flatMap((query): [string, number, number][] => {
      const [name, other] = [`${place} ${query}`, `${elsewhere} ${against ?? query}`];
      const [above, below] = [p95.get(name), p95.get(other)];
      return above && below ? [[`${name} : ${other}`, above / below, target]] : [];
    }),
  );
}
