import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Issuer } from "@app-registry/issuer";
import { once } from "@app-registry/server/async";
import { watchHealth } from "@app-registry/server/checkHealth";
import type { Connections } from "@app-registry/server/connections";
import { startIssuer } from "@app-registry/server/issuer";
import { metrics } from "@app-registry/server/metrics";
import { createOperations, serveOperations } from "@app-registry/server/operations";
import { startOrExit, warn } from "@app-registry/server/startup";
import { ApiProblem } from "./http/problem.ts";
import { registry } from "./registry.ts";

/**
 * Starts the issuer that answers requests.
 * @throws ApiProblem `issuer-not-configured` without a key, and the errors of `startIssuer`.
 */
export async function attestingIssuer(connections: Connections): Promise<Issuer> {
  if (connections.environment.issuerAccount) return startIssuer(connections);
  throw new ApiProblem(503, "issuer-not-configured", "This server does not issue attestations", {
    detail: "No issuer key is configured.",
  });
}

/** Returns the issuer of this process. The next call retries a failed start. */
export const issuer = once(async () => attestingIssuer(registry()));

const watched = once(() => watchHealth(registry(), issuer));

/** Returns the health of this server, checked at most once a second. */
export const currentHealth = () => watched()();

/** Counts and times every response of this process (pages, routes and files) except those of `except`. */
function measureRequests(except: Server | undefined): void {
  const startedAt = new WeakMap<IncomingMessage, number>();
  subscribe("http.server.request.start", (message) => {
    const { request, server } = message as { request: IncomingMessage; server: Server };
    if (server !== except) startedAt.set(request, performance.now());
  });
  subscribe("http.server.response.finish", (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const start = startedAt.get(request);
    if (start === undefined) return;
    const { statusCode } = response;
    metrics().request(
      toRouteLabel(request.url ?? "", statusCode),
      statusCode,
      (performance.now() - start) / 1_000,
    );
  });
}

/**
 * Returns the first part of a path, or the first two for the API: `/apps`, `/api/search`. Unknown paths become `other`,
 * so that clients cannot inflate the metrics.
 */
export function toRouteLabel(target: string, status: number): string {
  const [path = ""] = target.split("?", 1);
  const route = /^\/(?:(?:api|v0\.1)\/)?[a-z0-9_.-]*/.exec(path)?.[0] ?? "";
  return status === 404 || status === 405 || route.length > 30 ? "other" : route;
}

/** Starts the parts of a server that do not depend on its issuer. */
const prepare = once(async () => {
  const { environment } = registry();
  warn(environment);
  measureRequests(await serveOperations(environment, createOperations(currentHealth)));
  return environment;
});

/**
 * Checks the configuration and the deployment file. With a key, also checks that it belongs to an authorised issuer.
 * Ends the process with one line if the server can't work; waits for an unresponsive chain, database or KMS.
 */
export const start = (): Promise<void> =>
  startOrExit(async () => {
    const { issuerAccount } = await prepare();
    if (issuerAccount) await issuer();
  });
