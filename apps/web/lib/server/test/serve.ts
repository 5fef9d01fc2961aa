import type { LimitQuotas } from "@app-registry/server/variables";
import { createApi } from "../http/createApi.ts";
import { createRateLimits, type RateLimits } from "../http/rateLimits.ts";
import type { Route } from "../http/route.ts";
import type { Registry } from "../registry.ts";

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

/** Creates an API of routes with limits of its own, in memory. */
export function limitedApi(
  create: (registry: () => Registry) => readonly Route[],
  from: Registry,
  quotas: Partial<LimitQuotas>,
): ReturnType<typeof createApi> {
  const rateLimits = { ...from.environment.rateLimits, ...quotas };
  const limits = createRateLimits({ ...from.environment, rateLimits }, undefined);
  return createApi(
    create(() => from),
    () => limits,
  );
}

/** Creates an API of routes without limits. The header `client` is the client's address. */
export const unlimitedApi = (routes: readonly Route[]): ReturnType<typeof createApi> =>
  createApi(routes, () => ({
    clientAddress: ({ headers }) => headers.get("client") ?? "",
    consume: async () => undefined,
  }));
