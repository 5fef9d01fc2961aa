import { closedLoop, percentile, type Samples } from "./closedLoop.ts";
import { type QueryName, queryNames } from "./queries.ts";

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

interface MeasureParameters {
  url: string;
  requests: Record<QueryName, readonly string[]>;
  connections: readonly number[];
  /** Seconds of each query at each number of connections, warm-up aside. */
  seconds: number;
  onProgress?: (message: string) => void;
}

/** Every query is measured in so many rounds, so that a disturbance of the machine meets the floor as it meets them. */
const ROUNDS = 4;
const WARM_UP_MS = 1_000;

/**
 * Measures every query name at each number of connections, one after the other, round by round.
 * A query name of which an answer is not the index's, or finds nothing, has no figure at that number of connections.
 */
export async function measureSearch({
  url,
  requests,
  connections,
  seconds,
  onProgress,
}: MeasureParameters): Promise<Omit<SearchFigure, "backend" | "N">[]> {
  const figures: Omit<SearchFigure, "backend" | "N">[] = [];
  for (const count of connections) {
    const samples = new Map<QueryName, Samples>();
    const refused = new Set<QueryName>();
    for (let round = 0; round <= ROUNDS; round++) {
      const milliseconds = round === 0 ? Math.min(WARM_UP_MS, seconds * 1_000) : (seconds * 1_000) / ROUNDS;
      for (const query of queryNames) {
        if (refused.has(query)) continue;
        const check = query === "floor" ? checkHealth : checkPage;
        const measured = await closedLoop({
          url,
          paths: inTurn(requests[query], round),
          connections: count,
          milliseconds,
          check,
        }).catch((error: Error) => {
          onProgress?.(`${query} at ${count} is not measured: ${error.message}`);
          refused.add(query);
          samples.delete(query);
        });
        if (measured && round > 0) samples.set(query, join(samples.get(query), measured));
      }
    }
    for (const [query, measured] of samples) {
      const figure = { query, connections: count, ...figuresOf(measured) };
      figures.push(figure);
      onProgress?.(`${query} at ${count}: p95 ${figure.p95_ms} ms, ${figure.rps}/s`);
    }
  }
  return figures;
}

/** Another round begins at another request, so that a slow query name is not measured by its first requests alone. */
function inTurn(paths: readonly string[], round: number): string[] {
  const first = Math.floor((paths.length * round) / (ROUNDS + 1));
  return [...paths.slice(first), ...paths.slice(0, first)];
}

const join = (before: Samples | undefined, { latencies, duration }: Samples): Samples => ({
  latencies: [...(before?.latencies ?? []), ...latencies],
  duration: (before?.duration ?? 0) + duration,
});

const rounded = (value: number) => Math.round(value * 100) / 100;

function figuresOf({ latencies, duration }: Samples) {
  const sorted = latencies.sort((a, b) => a - b);
  return {
    p50_ms: rounded(percentile(sorted, 0.5)),
    p95_ms: rounded(percentile(sorted, 0.95)),
    p99_ms: rounded(percentile(sorted, 0.99)),
    rps: rounded((sorted.length / duration) * 1_000),
  };
}

function checkHealth(status: number, body: string): void {
  if (status !== 200 || !body.startsWith('{"status":"ok"')) {
    throw new Error(`/api/health answered ${status}: ${body.slice(0, 300)}`);
  }
}

/** Reads the text alone: to parse every page would take the client's time from the server. */
function checkPage(status: number, body: string, path: string): void {
  if (status !== 200 || !body.startsWith('{"results":[{"') || !body.includes('"source":"index"')) {
    throw new Error(`${path} answered ${status}: ${body.slice(0, 300)}`);
  }
}
