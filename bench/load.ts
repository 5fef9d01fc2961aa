import { setTimeout } from "node:timers/promises";
import autocannon, { type Result } from "autocannon";
import { percentile } from "./results.ts";

/** Requests to measure together. */
export interface Subject {
  name: string;
  /** Base URL of the server. */
  url: string;
  /** Paths to get. Each connection begins at another one. */
  paths: readonly string[];
  /** Text that every response must contain. */
  expected?: string;
}

/** Measured times of a subject's requests. */
export interface Figure {
  name: string;
  p50_ms: number;
  p95_ms: number;
  /** Responses per second. */
  rps: number;
}

const CONNECTIONS = 16;
/** Rounds over all subjects after one that warms up, so that a disturbance of the machine affects all of them. */
const ROUNDS = 4;
/** Pause after each subject, in which the servers end the work of requests that were broken off, in milliseconds. */
const PAUSE = 1_000;

/**
 * Measures subjects round by round, each for `seconds` in total.
 * @throws Error if a response fails, is not the expected one, or is missing.
 */
export async function measureInTurn(subjects: readonly Subject[], seconds: number): Promise<Figure[]> {
  const samples = new Map(subjects.map((subject) => [subject, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [subject, latencies] of samples) {
      const measured = await send(subject, seconds / ROUNDS);
      if (round > 0) latencies.push(...measured);
      await setTimeout(PAUSE);
    }
  }
  const rounded = (value: number) => Math.round(value * 100) / 100;
  return [...samples].map(([{ name }, latencies]) => ({
    name,
    p50_ms: rounded(percentile(latencies, 0.5)),
    p95_ms: rounded(percentile(latencies, 0.95)),
    rps: rounded(latencies.length / seconds),
  }));
}

/**
 * Sends requests without a pause and returns the latency of every response in milliseconds. autocannon's own
 * percentiles are whole milliseconds and lack p95.
 */
async function send({ name, url, paths, expected = "" }: Subject, duration: number) {
  const latencies: number[] = [];
  let clients = 0;
  const { non2xx, errors, mismatches } = await new Promise<Result>((resolve, reject) => {
    const options = {
      ...{ url, connections: CONNECTIONS, duration, sampleInt: 100, timeout: 60 },
      setupClient: (client: autocannon.Client) => {
        const start = Math.floor((paths.length * clients++) / CONNECTIONS);
        client.setRequests([...paths.slice(start), ...paths.slice(0, start)].map((path) => ({ path })));
      },
      verifyBody: (body: unknown) => String(body).includes(expected),
    };
    const run = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
    run.on("response", (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  });
  if (non2xx + errors + mismatches > 0)
    throw new Error(`${name}: ${non2xx} refused, ${errors} without a response, ${mismatches} unexpected`);
  return latencies;
}
