import { Pool } from "undici";

export interface Samples {
  /** Milliseconds of every request. */
  latencies: number[];
  /** Milliseconds that the whole took. */
  duration: number;
}

interface LoopParameters {
  url: string;
  /** Paths that are asked in turn. */
  paths: readonly string[];
  /** Requests under way at any moment, each on a connection of its own. */
  connections: number;
  /** How long new requests are sent. */
  milliseconds: number;
  /** Throws for an answer that must not be measured. */
  check: (status: number, body: string, path: string) => void;
}

/** Asks without a pause: every connection sends its next request when its last one is answered in full. */
export async function closedLoop({
  url,
  paths,
  connections,
  milliseconds,
  check,
}: LoopParameters): Promise<Samples> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const latencies: number[] = [];
  const start = performance.now();
  let next = 0;
  const ask = async () => {
    while (performance.now() - start < milliseconds) {
      const path = paths[next++ % paths.length] ?? "/";
      const sent = performance.now();
      const { statusCode, body } = await pool.request({ path, method: "GET" });
      const text = await body.text();
      latencies.push(performance.now() - sent);
      check(statusCode, text, path);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, ask));
    return { latencies, duration: performance.now() - start };
  } finally {
    await pool.destroy();
  }
}

/** The smallest sample that at least `share` of all do not exceed (nearest rank). */
export function percentile(sorted: readonly number[], share: number): number {
  const sample = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (sample === undefined) throw new Error("There are no samples.");
  return sample;
}
