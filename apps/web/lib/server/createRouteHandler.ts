import type { LimitName } from "@app-registry/server/quotas";
import { routeMethodNames } from "./incomingRequests.ts";
import type { Quota } from "./limits/rateLimiter.ts";
import {
  createRateLimitProblem,
  type RateLimits,
  rateLimitHeaders,
  rateLimits,
} from "./limits/rateLimits.ts";
import { ApiProblem, problemResponse, toApiProblem } from "./problem.ts";
import { type LogFields, logFailure, logRequest } from "./requestLog.ts";
import { apiSecurityHeaders } from "./securityHeaders.ts";

/** Context that a handler receives besides the request. */
export type RouteContext = {
  requestId: string;
  /** Returns the client's address as the limits count it: see `RateLimits.clientAddress`. */
  clientAddress(): string;
  /**
   * Counts the request against a limit of the server. Does nothing if the route has no limit.
   * @throws ApiProblem 429 `rate-limited`, 503 `limits-unavailable`.
   */
  count(name: LimitName, key: string): Promise<void>;
  /**
   * Counts `points` more requests against the route's limit.
   * @throws as `count`.
   */
  countMore(points: number): Promise<void>;
  /** Adds to the request's log line. */
  note(fields: LogFields): void;
};

export type RouteHandler = (request: Request, context: RouteContext) => Promise<Response>;

export type RouteOptions = {
  /** Converts a problem to the route's own response format. Default: problem details (RFC 9457). */
  onProblem?: (problem: ApiProblem, context: RouteContext) => Response;
  /** Limit that counts each request by its client before the handler runs. */
  limit?: LimitName;
  /** True if the route's POST only reads, so pages of every site may send it. */
  onlyReads?: boolean;
  /** Limits to count against. Default: the limits of this process. */
  limits?: () => RateLimits;
  /** Event name to log for every request. Default: only server failures are logged. */
  logged?: string;
};

const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "cache-status, etag, ratelimit, ratelimit-policy, retry-after, x-request-id",
} as const;

/**
 * Creates a route handler with the behaviour that all routes share: an `x-request-id` (the caller's own if it is a
 * plain token), problem documents for thrown errors, a log line for server failures, and open CORS for reads.
 */
export function createRouteHandler(
  handler: RouteHandler,
  options: RouteOptions = {},
): (request: Request) => Promise<Response> {
  const { onProblem, limit, limits = rateLimits, logged, onlyReads = false } = options;
  return async (request) => {
    const startedAt = performance.now();
    const quotas: Quota[] = [];
    const fields: LogFields = {};
    const requestId = getRequestId(request);
    const consume = async (name: LimitName, key: string, points: number): Promise<void> => {
      const quota = limit && (await limits().consume(name, key, points));
      if (!quota) return;
      const known = quotas.findIndex(({ policy }) => policy.name === quota.policy.name);
      quotas.splice(known < 0 ? quotas.length : known, 1, quota);
      if (quota.refused) throw createRateLimitProblem(quota);
    };
    const clientAddress = () => limits().clientAddress(request);
    const context: RouteContext = {
      requestId,
      clientAddress,
      count: (name, key) => consume(name, key, 1),
      async countMore(points) {
        if (limit && points > 0) await consume(limit, clientAddress(), points);
      },
      note: (more) => void Object.assign(fields, more),
    };
    const answer = async (): Promise<Response> => {
      if (request.method === "POST" && !onlyReads) refuseOtherSite(request);
      if (limit) await context.count(limit, clientAddress());
      return handler(request, context);
    };
    let response: Response;
    try {
      response = await answer();
      if (logged) logRequest(request, logged, { requestId, status: response.status, startedAt, fields });
    } catch (error) {
      const problem = toApiProblem(error);
      const { httpStatus: status, code } = problem;
      const outcome = { requestId, status, startedAt, fields };
      if (status >= 500) logFailure(request, problem, error, logged ?? "request failed", outcome);
      else if (logged) logRequest(request, logged, { ...outcome, fields: { ...fields, code } });
      response = onProblem?.(problem, context) ?? problemResponse(problem, requestId);
    }
    const added: [string, string][] = [["x-request-id", requestId], ...rateLimitHeaders(quotas)];
    return withHeaders(request, response, added, onlyReads);
  };
}

/**
 * Rejects requests from pages of another site. Browsers send such a POST without a preflight once a GET was allowed.
 */
function refuseOtherSite({ headers }: Request): void {
  if (!/^(cross|same)-site$/.test(headers.get("sec-fetch-site") ?? "")) return;
  throw new ApiProblem(403, "other-site", "Only pages of this site may send this request");
}

/** Adds headers to the handler's response in place. Copying the response would double its cost. */
function withHeaders(
  request: Request,
  response: Response,
  added: [string, string][],
  onlyReads: boolean,
): Response {
  const { headers, status } = response;
  for (const [name, value] of Object.entries(apiSecurityHeaders)) {
    if (!headers.has(name)) headers.set(name, value);
  }
  for (const [name, value] of added) headers.set(name, value);
  const isRead = onlyReads || request.method === "GET" || request.method === "HEAD";
  if (isRead) for (const [name, value] of Object.entries(corsHeaders)) headers.set(name, value);
  return request.method === "HEAD" ? new Response(null, { status, headers }) : response;
}

/** Answers the CORS preflight of a route that is open to every site. */
export function corsPreflight(
  methods = "GET, HEAD",
  allowed = "content-type, if-none-match, x-request-id",
): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders,
      "access-control-allow-methods": methods,
      "access-control-allow-headers": allowed,
      "access-control-max-age": "86400",
    },
  });
}

function getRequestId(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : crypto.randomUUID();
}

type Method = (typeof routeMethodNames)[number];
type Handler = (request: Request) => Promise<Response>;
type Handlers = Record<Method, Handler>;

/** Creates a handler for each method. */
const mapMethods = (handlerOf: (method: Method) => Handler): Handlers =>
  Object.fromEntries(routeMethodNames.map((method) => [method, handlerOf(method)])) as Handlers;

/**
 * Creates a handler for every method that Next knows. HEAD is GET without its body, OPTIONS lists the methods and is
 * the CORS preflight of a GET, and other methods return 405 with `Allow`.
 */
export function createRoute(
  { GET, POST }: { GET: RouteHandler; POST?: RouteHandler } | { GET?: undefined; POST: RouteHandler },
  options: RouteOptions = {},
): Handlers {
  const own: Partial<Handlers> = {
    ...(GET && { GET: createRouteHandler(GET, options), HEAD: createRouteHandler(GET, options) }),
    ...(POST && { POST: createRouteHandler(POST, options) }),
  };
  const allow = [...Object.keys(own), "OPTIONS"].join(", ");
  const preflight = createRouteHandler(async (request) => {
    // Browsers send a POST even if the list of methods lacks it (Fetch, 4.8), so a POST that acts gets no CORS headers.
    const asksPost = POST !== undefined && (!GET || isPostPreflight(request));
    // Browsers reuse the headers allowed for a GET on a POST to the same URL, so omit those that would let a POST act.
    const allowed = POST && !options.onlyReads ? "if-none-match, x-request-id" : undefined;
    const open = asksPost ? options.onlyReads && corsPreflight("POST") : corsPreflight("GET, HEAD", allowed);
    const response = open || new Response(null, { status: 204 });
    response.headers.set("allow", allow);
    return response;
  });
  const { onProblem } = options;
  const refuse = createRouteHandler(
    async () => {
      throw new ApiProblem(405, "method-not-allowed", "Method not allowed", { allow });
    },
    onProblem ? { onProblem } : {},
  );
  return mapMethods((method) => own[method] ?? (method === "OPTIONS" ? preflight : refuse));
}

const isPostPreflight = ({ headers }: Request): boolean =>
  headers.get("access-control-request-method")?.toUpperCase() === "POST";

const notFound = createRouteHandler(async () => {
  throw new ApiProblem(404, "not-found", "Route not found", {
    detail: "See /api/openapi.json for all routes.",
  });
});

/** Handlers for every path without a route. */
export const notFoundRoute = mapMethods(() => notFound);

/**
 * Returns the part of the raw request path after a route's prefix. A framework's decoded parameters would turn
 * `did:web:localhost%3A3000` into another DID.
 */
export function rawPathAfter(request: Request, prefix: string): string {
  const { pathname } = new URL(request.url);
  return pathname.startsWith(prefix) ? pathname.slice(prefix.length).replace(/\/$/, "") : "";
}
