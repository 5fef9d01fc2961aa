import type { SearchFigure } from "./measure/measureSearch.ts";
import type { QueryName } from "./measure/queries.ts";

/** A ratio that has to stay at or below its target. */
export interface Ratio {
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
export function ratiosOf(figures: readonly SearchFigure[]): Ratio[] {
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
