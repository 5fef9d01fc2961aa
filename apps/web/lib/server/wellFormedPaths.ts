import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

/**
 * A request target whose path can be decoded. Next fails (500) at one that can't, `/%E0%A4%A`, before any route is
 * asked; with its percent signs encoded once more it is a path like others, which the routes refuse or do not have.
 */
export function wellFormedTarget(target: string): string {
  const queryAt = target.indexOf("?");
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  try {
    decodeURIComponent(path);
    return target;
  } catch {
    return path.replaceAll("%", "%25") + target.slice(path.length);
  }
}

/** Has every request of this process carry a path that can be decoded. */
export function keepPathsWellFormed(): void {
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    if (request.url !== undefined) request.url = wellFormedTarget(request.url);
  });
}
