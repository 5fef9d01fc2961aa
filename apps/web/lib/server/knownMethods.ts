import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { routeMethodNames } from "./route.ts";

/** Stands for every method that Next does not know: no page and no route has it. */
const METHOD_OF_NO_ROUTE = "PATCH";

/**
 * A method that Next can hand to a route. It fails at others before any route is asked, at TRACE with 500 and at
 * PROPFIND with 400; as a method that no route has they are 405.
 */
export function knownMethod(method: string): string {
  return (routeMethodNames as readonly string[]).includes(method) ? method : METHOD_OF_NO_ROUTE;
}

/** Has every request of this process carry a method that Next knows. */
export function keepMethodsKnown(): void {
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    request.method = knownMethod(request.method ?? "");
  });
}
