import { createServer, type Server } from "node:http";
import type { Environment } from "./environment.ts";
import type { Health } from "./health.ts";
import { metrics } from "./metrics.ts";

/** Readiness of a process, with the problems. */
export type Readiness = { isReady: boolean; problems: readonly { code: string; message: string }[] };

export type OperationsOptions = {
  readiness: () => Promise<Readiness>;
  /** Returns the metrics in Prometheus's text format. Called for each scrape. */
  metrics: () => Promise<string>;
};

/** Creates the probes and metrics of a process from its health. By default it is ready unless its status is `down`. */
export const createOperations = (
  health: () => Promise<Health>,
  isReady = ({ status }: Health): boolean => status !== "down",
): OperationsOptions => ({
  readiness: async () => {
    const current = await health();
    return { isReady: isReady(current), problems: current.problems };
  },
  metrics: async () => {
    metrics().health(await health());
    return metrics().text();
  },
});

/**
 * Starts a server for operators on a separate port, which must not be public: `/healthz` (200 while the process runs),
 * `/readyz` (503 with the reasons while it is not ready) and `/metrics` (Prometheus). It does not keep the process
 * alive.
 * @returns The server, or `undefined` without METRICS_PORT.
 * @throws {Error} if the port is not available.
 */
export async function serveOperations(
  { metrics: where }: Pick<Environment, "metrics">,
  operations: OperationsOptions,
): Promise<Server | undefined> {
  if (!where) return undefined;
  const answers: Record<string, () => Promise<Response>> = {
    "/healthz": async () => healthzResponse(),
    "/readyz": async () => readyzResponse(await operations.readiness()),
    "/metrics": async () =>
      new Response(await operations.metrics(), {
        headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
      }),
  };
  const server = createServer(async (request, response) => {
    const answer = answers[new URL(request.url ?? "/", "http://localhost").pathname];
    const { status, headers, body } = answer
      ? await answer().then(toText, createErrorResponse)
      : { status: 404, headers: {}, body: "Not found.\n" };
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(where.port, where.host, resolve);
  });
  server.unref();
  return server;
}

/** Returns the response of a running process. */
export const healthzResponse = (): Response => noStore("ok\n", 200);

/** Returns 200 for a process that is ready, else 503. Lists the problems, one per line. */
export function readyzResponse({ isReady, problems }: Readiness): Response {
  const lines = problems.map(({ code, message }) => `${code}: ${message}`);
  return noStore(`${[isReady ? "ready" : "not ready", ...lines].join("\n")}\n`, isReady ? 200 : 503);
}

const noStore = (text: string, status: number) =>
  new Response(text, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });

const toText = async (response: Response) => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: await response.text(),
});

const createErrorResponse = (error: unknown) => ({
  status: 500,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: `${error instanceof Error ? error.name : "It failed"}\n`,
});
