import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { metrics } from "@app-registry/server/metrics";

/** Counts and times every response of this process (pages, routes and files) except those of `except`. */
export function measureRequests(except: Server | undefined): void {
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
