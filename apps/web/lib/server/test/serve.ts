import { createApi } from "../http/createApi.ts";
import type { RateLimits } from "../http/rateLimits.ts";
import type { Route } from "../http/route.ts";

type Handler = Route["handler"];
type Options = Partial<Omit<Route, "method" | "path" | "handler">> & { limitsOf?: () => RateLimits };

/** Creates an API that answers a GET or a POST of every path with a handler. */
export function serve(
  handlers: Handler | { GET?: Handler; POST?: Handler },
  { limitsOf, ...options }: Options = {},
): (request: Request) => Promise<Response> {
  const { GET, POST } = typeof handlers === "function" ? { GET: handlers, POST: handlers } : handlers;
  const api = createApi(
    [
      ...(GET ? [{ ...options, method: "get", path: "/*", handler: GET } as const] : []),
      ...(POST ? [{ ...options, method: "post", path: "/*", handler: POST } as const] : []),
    ],
    limitsOf,
  );
  return async (request) => api.fetch(request);
}
