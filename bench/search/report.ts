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

const number = (value: number) =>
  value.toLocaleString("en-US", { maximumFractionDigits: value < 100 ? 1 : 0 });

/** A line of a table that compares a measured value with its target. */
export interface Comparison {
  name: string;
  value: number;
  target: number;
  unit: string;
}

/** Every target of which the run has a figure. */
export function comparisonsOf({ figures, indexerMemory }: SearchResults): Comparison[] {
  const ratios = ratiosOf(figures).map((ratio) => ({ ...ratio, unit: "times" }));
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
  const places = new Map(
    figures.map(({ backend, N, connections }) => [
      `${backend} ${N} ${connections}`,
      { backend, N, connections },
    ]),
  );
  const cell = (place: Pick<SearchFigure, "backend" | "N" | "connections">, query: QueryName) => {
    const figure = figures.find(
      (candidate) =>
        candidate.query === query &&
        candidate.backend === place.backend &&
        candidate.N === place.N &&
        candidate.connections === place.connections,
    );
    return figure ? `${number(figure.p50_ms)} / ${number(figure.p95_ms)}` : "";
  };
  return [
    `| Database | Records | Connections | ${queryNames.map((name) => `\`${name}\``).join(" | ")} |`,
    `|---|---:|---:|${queryNames.map(() => "---:|").join("")}`,
    ...[...places.values()].map(
      (place) =>
        `| ${place.backend} | ${number(place.N)} | ${place.connections} | ${queryNames.map((query) => cell(place, query)).join(" | ")} |`,
    ),
  ].join("\n");
}

function formatComparisons(results: SearchResults): string {
  const comparisons = comparisonsOf(results);
  if (comparisons.length === 0) return "";
  return [
    "| p95 at 16 connections | Measured | Target, at most | |",
    "|---|---:|---:|---|",
    ...comparisons.map(
      (comparison) =>
        `| ${comparison.name} | ${number(comparison.value)} ${comparison.unit} | ${number(comparison.target)} ${comparison.unit} | ${isMet(comparison) ? "met" : "missed"} |`,
    ),
  ].join("\n");
}

function formatReference({ reference }: SearchResults): string {
  if (!reference) return "";
  const { records, index_ms, chain_ms, chain_16_ms } = reference;
  const row = (name: string, milliseconds: number) =>
    `| ${name} | ${number(milliseconds)} | ${number(milliseconds / index_ms)} |`;
  return [
    `| One search for three traits among ${number(records)} records, median | Milliseconds | Times the index |`,
    "|---|---:|---:|",
    row("`/api/search`", index_ms),
    row("paging the chain and asking each app, one call after the other", chain_ms),
    row("the same, 16 calls at a time", chain_16_ms),
  ].join("\n");
}

/** A ratio that has to stay at or below its target. */
interface Ratio {
  name: string;
  value: number;
  target: number;
}

const traitQueries: QueryName[] = ["trait-interface", "traits-3-all"];
const textQueries: QueryName[] = ["text", "text-trait"];

/** The number of connections that targets are stated for. */
const CONNECTIONS = 16;

interface Place {
  backend: string;
  N: number;
  query: QueryName;
}

const nameOf = ({ backend, N, query }: Place) => `${backend} ${N.toLocaleString("en-US")} ${query}`;

/** Every ratio that has a target, of those sizes that were measured: p95 at 16 connections. */
function ratiosOf(figures: readonly SearchFigure[]): Ratio[] {
  const p95 = ({ backend, N, query }: Place) =>
    figures.find(
      (figure) =>
        figure.backend === backend &&
        figure.N === N &&
        figure.query === query &&
        figure.connections === CONNECTIONS,
    )?.p95_ms;
  const ratio = (place: Place, other: Place, target: number): Ratio[] => {
    const [above, below] = [p95(place), p95(other)];
    if (above === undefined || below === undefined) return [];
    return [{ name: `${nameOf(place)} : ${nameOf(other)}`, value: above / below, target }];
  };
  const overFloor = (backend: string, N: number, queries: QueryName[], target: number) =>
    queries.flatMap((query) => ratio({ backend, N, query }, { backend, N, query: "floor" }, target));
  const overSmaller = (queries: QueryName[], target: number) =>
    queries.flatMap((query) =>
      ratio({ backend: "postgres", N: 1_000_000, query }, { backend: "postgres", N: 100_000, query }, target),
    );
  const deep = (N: number) =>
    ratio({ backend: "postgres", N, query: "deep" }, { backend: "postgres", N, query: "newest" }, 1.5);
  return [
    ...overFloor("postgres", 100_000, traitQueries, 3),
    ...overFloor("postgres", 100_000, textQueries, 6),
    ...overSmaller([...traitQueries, "newest", "deep"], 2),
    ...overSmaller(textQueries, 3),
    ...deep(100_000),
    ...deep(1_000_000),
    ...overFloor("pglite", 100_000, traitQueries, 6),
  ];
}
