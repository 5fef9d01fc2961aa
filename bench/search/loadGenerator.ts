import autocannon, { type Result } from "autocannon";

/** Milliseconds of each answer, and how long requests were sent. */
export interface Samples {
  latencies: number[];
  milliseconds: number;
}

interface LoadParameters {
  url: string;
  /** Paths to ask in turn; each connection begins at another one. */
  paths: readonly string[];
  /** Each connection has one request under way at any moment. */
  connections: number;
  seconds: number;
  /** Whether the body of an answer may be measured. */
  isExpected: (body: string) => boolean;
}

/**
 * Sends requests without a pause and keeps the time of every answer: autocannon's own percentiles are whole
 * milliseconds, and have no p95.
 * @throws When an answer is refused, is not the expected one, or does not come.
 */
export async function generateLoad(parameters: LoadParameters): Promise<Samples> {
  const { url, paths, connections, seconds, isExpected } = parameters;
  const latencies: number[] = [];
  let unexpected: string | undefined;
  let clients = 0;
  let startedAt = 0;
  const { non2xx, errors, mismatches } = await new Promise<Result>((resolve, reject) => {
    const run = autocannon(
      {
        url,
        connections,
        duration: seconds,
        sampleInt: 100,
        timeout: 60,
        setupClient(client) {
          const first = Math.floor((paths.length * clients++) / connections);
          client.setRequests([...paths.slice(first), ...paths.slice(0, first)].map((path) => ({ path })));
        },
        verifyBody(body) {
          const isGood = isExpected(String(body));
          if (!isGood) unexpected ??= String(body);
          return isGood;
        },
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    );
    run.on("start", () => {
      startedAt = performance.now();
    });
    run.on("response", (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  });
  const milliseconds = performance.now() - startedAt;
  if (non2xx + errors + mismatches > 0) {
    throw new Error(
      `${non2xx} answers were refused, ${errors} did not come, ${mismatches} were not the expected ones: ${unexpected?.slice(0, 300)}`,
    );
  }
  return { latencies, milliseconds };
}
