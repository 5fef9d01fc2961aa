import { OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import type { Context } from "hono";
import { ApiProblem, problemResponse, toApiProblem } from "./problem.ts";
import {
  createRateLimitProblem,
  getSite,
  type Quota,
  type RateLimits,
  rateLimitHeaders,
  rateLimits,
} from "./rateLimits.ts";
import { readJsonBody } from "./request.ts";
import { type LogFields, logFailure, logRequest } from "./requestLog.ts";
import { describeOperation, type Route, type RouteContext } from "./route.ts";
import { apiSecurityHeaders } from "./securityHeaders.ts";

/** State of one request. */
type Call = {
  startedAt: number;
  quotas: Quota[];
  fields: LogFields;
  context: RouteContext;
  /** Route that answers the request. Unset for preflights and refused methods. */
  route?: Route;
  onProblem?: Route["onProblem"];
};
type Env = { Variables: { call: Call } };

const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "cache-status, etag, ratelimit, ratelimit-policy, retry-after, x-request-id",
} as const;

/**
 * Creates the API of some routes, with the behavior that all routes share: an `x-request-id` (the caller's own if it is
 * a plain token), limits, validated bodies, problem documents for thrown errors, a log line for server failures, open
 * CORS for reads, and 404 and 405.
 *
 * Bodies are read by `readJsonBody`, because Hono's validator has no limits of size and time and accepts ambiguous JSON.
 * Handlers read DIDs from the raw URL, because Hono decodes parameters.
 */
export function createApi(routes: readonly Route[], limits: () => RateLimits = rateLimits): OpenAPIHono<Env> {
  const api = new OpenAPIHono<Env>();
  api.onError((error, c) => answerProblem(error, c));
  api.use(async (c, next) => {
    c.set("call", createCall(c.req.raw, limits));
    await next();
    addHeaders(c);
  });
  for (const route of routes) {
    const { method, path, documented } = route;
    if (documented) {
      const operation = describeOperation(route, documented);
      api.openAPIRegistry.registerPath({ method, path, ...operation } as unknown as RouteConfig);
    }
    api.on(method.toUpperCase(), matchedPaths(route), (c) => answerCall(c, route));
  }
  for (const [path, ofPath] of Map.groupBy(
    routes.flatMap((route) => matchedPaths(route).map((path) => [path, route] as const)),
    ([path]) => path,
  )) {
    const methods = ofPath.map(([, route]) => route);
    api.all(path, (c) => answerOtherMethod(c, methods));
  }
  api.all("*", () => {
    throw new ApiProblem(404, "not-found", "Route not found", {
      detail: "See /api/openapi.json for all routes.",
    });
  });
  return api;
}

const clientGone = new ApiProblem(400, "client-gone", "The client closed the connection");

const matchedPaths = ({ path, match }: Route): string[] =>
  match ?? [path.replace("{versionedDid}", ":did{.+}").replaceAll(/\{(\w+)\}/g, ":$1")];

function createCall(request: Request, limits: () => RateLimits): Call {
  const quotas: Quota[] = [];
  const fields: LogFields = {};
  const context: RouteContext = {
    requestId: getRequestId(request),
    clientAddress: () => limits().clientAddress(request),
    async count(name, key, points = 1) {
      const quota = await limits().consume(name, key, points);
      if (!quota) return;
      const known = quotas.findIndex(({ policy }) => policy.name === quota.policy.name);
      quotas.splice(known < 0 ? quotas.length : known, 1, quota);
      if (quota.refused) throw createRateLimitProblem(quota);
    },
    note: (more) => void Object.assign(fields, more),
  };
  return { startedAt: performance.now(), quotas, fields, context };
}

function getRequestId(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : crypto.randomUUID();
}

async function answerCall(c: Context<Env>, route: Route): Promise<Response> {
  const call = c.get("call");
  const { context, startedAt, fields } = call;
  Object.assign(call, { route, onProblem: route.onProblem });
  const request = c.req.raw;
  if (route.method === "post" && !route.onlyReads) refuseOtherSite(request);
  for (const limit of route.limits ?? []) await context.count(limit, context.clientAddress());
  const body = route.body && (await readJsonBody(request, route.body));
  const answer = () => route.handler(request, { ...context, body });
  const response = await (route.inTurn
    ? route.inTurn(getSite(context.clientAddress()), answer, request.signal)
    : answer());
  if (route.logged) {
    const outcome = { requestId: context.requestId, status: response.status, startedAt, fields };
    logRequest(request, route.logged, outcome);
  }
  return response;
}

/**
 * Rejects requests from pages of another site. Browsers send such a POST without a preflight once a GET was allowed.
 */
function refuseOtherSite({ headers }: Request): void {
  if (!/^(cross|same)-site$/.test(headers.get("sec-fetch-site") ?? "")) return;
  throw new ApiProblem(403, "other-site", "Only pages of this site may send this request");
}

function answerProblem(error: unknown, c: Context<Env>): Response {
  const { context, startedAt, fields, route, onProblem } = c.get("call");
  const { requestId } = context;
  // A request that waited for its turn ends with this reason. It is no failure of the server.
  const isGone = c.req.raw.signal.aborted && error === c.req.raw.signal.reason;
  const problem = isGone ? clientGone : toApiProblem(error);
  const { httpStatus: status, code } = problem;
  const outcome = { requestId, status, startedAt, fields };
  if (status >= 500) logFailure(c.req.raw, problem, error, route?.logged ?? "request failed", outcome);
  else if (route?.logged) logRequest(c.req.raw, route.logged, { ...outcome, fields: { ...fields, code } });
  return onProblem?.(problem, context) ?? problemResponse(problem, requestId);
}

/** Adds headers to the response in place. Copying the response would double its cost. */
function addHeaders(c: Context<Env>): void {
  const { quotas, route, context } = c.get("call");
  const { headers } = c.res;
  for (const [name, value] of Object.entries(apiSecurityHeaders)) {
    if (!headers.has(name)) headers.set(name, value);
  }
  // A cache may give this response to other clients, so it says nothing about this one.
  const isShared = c.res.status < 400 && headers.get("cache-control")?.startsWith("public");
  const isRead = route?.onlyReads || c.req.method === "GET" || c.req.method === "HEAD";
  const ofClient = [...rateLimitHeaders(quotas), ["x-request-id", context.requestId]] as const;
  for (const [name, value] of [...(isShared ? [] : ofClient), ...Object.entries(isRead ? corsHeaders : {})])
    headers.set(name, value);
}

/** Answers OPTIONS with the methods of a path and as the CORS preflight of a read, and other methods with 405. */
function answerOtherMethod(c: Context<Env>, routes: readonly Route[]): Response {
  const get = routes.find(({ method }) => method === "get");
  const post = routes.find(({ method }) => method === "post");
  const allow = [...(get ? ["GET", "HEAD"] : []), ...(post ? ["POST"] : []), "OPTIONS"].join(", ");
  if (c.req.method !== "OPTIONS") {
    c.get("call").onProblem = routes[0]?.onProblem;
    throw new ApiProblem(405, "method-not-allowed", "Method not allowed", { allow });
  }
  // Browsers send a POST even if the list of methods lacks it (Fetch, 4.8), so a POST that acts gets no CORS headers.
  const asksPost = post && (!get || c.req.header("access-control-request-method")?.toUpperCase() === "POST");
  // Browsers reuse the headers allowed for a GET on a POST to the same URL, so omit those that would let a POST act.
  const contentType = post && !post.onlyReads ? "" : "content-type, ";
  // Clients of MCP registries send credentials, which no read uses.
  const isOpen = !asksPost || post.onlyReads;
  return new Response(null, {
    status: 200,
    headers: {
      allow,
      ...(isOpen && {
        ...corsHeaders,
        "access-control-allow-methods": asksPost ? "POST" : "GET, HEAD, OPTIONS",
        "access-control-allow-headers": `${post ? "" : "authorization, "}${contentType}if-none-match, x-request-id`,
        "access-control-max-age": "86400",
      }),
    },
  });
}
