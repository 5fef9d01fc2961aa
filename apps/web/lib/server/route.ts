import { type ApiProblem, problemResponse, toApiProblem } from "./problem.ts";

/** What a handler knows of the request beside the request itself. */
export type RouteContext = { requestId: string };

export type RouteOptions = {
  /** Turns a problem into the route's own shape; default RFC 9457 as it is. */
  onProblem?: (problem: ApiProblem, context: RouteContext) => Response;
};

const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "etag, retry-after, x-request-id",
} as const;

/**
 * A route handler with what every route has: an `x-request-id` (the caller's own when it is a plain token), problem
 * documents for everything thrown, a log line for what is the server's fault, and CORS open for GET alone.
 */
export function route(
  handler: (request: Request, context: RouteContext) => Promise<Response>,
  { onProblem }: RouteOptions = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    const context = { requestId: requestIdOf(request) };
    let response: Response;
    try {
      response = await handler(request, context);
    } catch (error) {
      const problem = toApiProblem(error);
      if (problem.httpStatus >= 500) logFailure(request, context, problem, error);
      response = onProblem?.(problem, context) ?? problemResponse(problem, context.requestId);
    }
    const headers = new Headers(response.headers);
    headers.set("x-request-id", context.requestId);
    headers.set("x-content-type-options", "nosniff");
    if (request.method === "GET" || request.method === "HEAD") {
      for (const [name, value] of Object.entries(corsHeaders)) headers.set(name, value);
    }
    return new Response(response.body, { status: response.status, headers });
  };
}

/** Answers the preflight of a route that everybody may GET. */
export function corsPreflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders,
      "access-control-allow-methods": "GET, HEAD",
      "access-control-allow-headers": "if-none-match, x-request-id",
      "access-control-max-age": "86400",
    },
  });
}

function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : crypto.randomUUID();
}

/**
 * One line of JSON. Messages of unforeseen errors stay out, for they may hold an RPC's URL with its key; where they
 * were thrown is what helps.
 */
function logFailure(
  request: Request,
  { requestId }: RouteContext,
  problem: ApiProblem,
  error: unknown,
): void {
  const { httpStatus: status, code } = problem;
  const unforeseen = code === "internal-error";
  const frames =
    error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  console.error(
    JSON.stringify({
      level: unforeseen ? "error" : "warn",
      event: "request failed",
      requestId,
      method: request.method,
      path: new URL(request.url).pathname,
      status,
      code,
      error: error instanceof Error ? error.name : typeof error,
      ...(unforeseen ? { trace: frames.slice(0, 8).map((line) => line.trim()) } : {}),
    }),
  );
}
