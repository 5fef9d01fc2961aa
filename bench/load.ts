import { setTimeout } from "node:timers/promises";
import autocannon, { type Result } from "autocannon";
import { readCpuTime } from "../scripts/stack/processes.ts";
import { percentile } from "./results.ts";
import { Random } from "./search/data/random.ts";

/** Requests to measure together. */
export interface Subject {
  name: string;
  /** Base URL of the server. */
  url: string;
  /** Paths to get, or requests to send, in a different order for each connection. */
  paths: readonly (string | autocannon.Request)[];
  /** Texts that every response must contain. */
  expected?: readonly string[];
}

/** Measured times of a subject's requests. */
export interface Figure {
  name: string;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
  /** Responses per second. */
  rps: number;
  /** CPU time per response in milliseconds, by process. */
  cpu_ms: Record<string, number>;
}

/** Rounds over all subjects, so that a disturbance of the machine affects all of them. */
const ROUNDS = 4;
const WARM_UP_SECONDS = 1;
/** Period in which the servers must be idle before a measurement, in milliseconds. */
const IDLE_PERIOD = 500;

interface LoadParameters {
  /** Number of connections. Each has one pending request at any moment. */
  connections: number;
  /** Duration of each subject in seconds, without the warm-up. */
  seconds: number;
  /** Ids of the processes whose CPU time is measured, by name. */
  processes: Record<string, number>;
  onProgress: (message: string) => void;
}

/** Waits until the servers have ended the work of requests that were broken off: less than a tenth of a core is busy. */
async function untilIdle(readCpuTimes: () => Promise<number[]>): Promise<void> {
  const read = async () => (await readCpuTimes()).reduce((sum, time) => sum + time, 0);
  for (let before = await read(), busy = IDLE_PERIOD; busy > IDLE_PERIOD / 10; ) {
    await setTimeout(IDLE_PERIOD);
    const after = await read();
    busy = after - before;
    before = after;
  }
}

/** Measures subjects round by round. Omits the figure of a subject with a failed or unexpected response. */
export async function measureInTurn(
  subjects: readonly Subject[],
  { connections, seconds, processes, onProgress }: LoadParameters,
): Promise<Figure[]> {
  const names = Object.keys(processes);
  const readCpuTimes = () => Promise.all(Object.values(processes).map(readCpuTime));
  const measurements = new Map(
    subjects.map((subject) => [subject, { samples: [] as number[], cpuTimes: names.map(() => 0) }]),
  );
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [subject, { samples, cpuTimes }] of measurements) {
      const duration = round === 0 ? Math.min(WARM_UP_SECONDS, seconds) : seconds / ROUNDS;
      try {
        await untilIdle(readCpuTimes);
        const before = await readCpuTimes();
        const measured = await send(subject, connections, duration);
        if (round === 0) continue;
        samples.push(...measured);
        const after = await readCpuTimes();
        for (const at of names.keys())
          cpuTimes[at] = (cpuTimes[at] ?? 0) + (after[at] ?? 0) - (before[at] ?? 0);
      } catch (error) {
        onProgress(`${subject.name} is not measured: ${(error as Error).message}`);
        measurements.delete(subject);
      }
    }
  }
  const rounded = (value: number) => Math.round(value * 100) / 100;
  return [...measurements].flatMap(([{ name }, { samples, cpuTimes }]) => {
    if (samples.length === 0) onProgress(`${name} is not measured: no answer came within its time`);
    if (samples.length === 0) return [];
    const [p50_ms, p95_ms, p99_ms] = [0.5, 0.95, 0.99].map((share) => rounded(percentile(samples, share)));
    const cpu_ms = Object.fromEntries(
      names.map((process, at) => [process, rounded((cpuTimes[at] ?? 0) / samples.length)]),
    );
    return { name, p50_ms, p95_ms, p99_ms, rps: rounded(samples.length / seconds), cpu_ms } as Figure;
  });
}

/**
 * Sends requests without a pause and returns the latency of every response in milliseconds. autocannon's own
 * percentiles are whole milliseconds and lack p95.
 * @throws Error if a response fails, is not the expected one, or is missing.
 */
async function send({ url, paths, expected = [] }: Subject, connections: number, duration: number) {
  const latencies: number[] = [];
  let unexpected: string | undefined;
  let clients = 0;
  const { non2xx, errors, mismatches } = await new Promise<Result>((resolve, reject) => {
    const options = {
      ...{ url, connections, duration, sampleInt: 100, timeout: 60, headers: { accept: "text/html, */*" } },
      setupClient: (client: autocannon.Client) =>
        client.setRequests(
          new Random(7, clients++)
            .shuffled(paths)
            .map((sent) => (typeof sent === "string" ? { path: sent } : sent)),
        ),
      verifyBody(body: unknown) {
        const isGood = expected.every((part) => String(body).includes(part));
        if (!isGood) unexpected ??= String(body);
        return isGood;
      },
    };
    const run = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
    run.on("response", (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  });
  if (non2xx + errors + mismatches > 0) {
    throw new Error(
      `${non2xx} answers were refused, ${errors} did not come, ${mismatches} were not the expected ones: ${unexpected?.slice(0, 300)}`,
    );
  }
  return latencies;
}
