import { ApiProblem } from "./problem.ts";
import { corsPreflight, type RouteHandler, type RouteOptions, route } from "./route.ts";

/** The methods that Next hands to a route. */
export const routeMethodNames = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

type Method = (typeof routeMethodNames)[number];
type Handler = (request: Request) => Promise<Response>;
type Handlers = Record<Method, Handler>;

/** A handler for each of them. */
export const everyMethod = (handlerOf: (method: Method) => Handler): Handlers =>
  Object.fromEntries(routeMethodNames.map((method) => [method, handlerOf(method)])) as Handlers;

/**
 * A handler for every method that Next knows: HEAD is GET without its body, OPTIONS names the methods (and is the CORS
 * preflight of a GET), and what the route does not have is 405 with `Allow`.
 */
export function routeMethods(
  handlers: { GET: RouteHandler } | { POST: RouteHandler },
  options: RouteOptions = {},
): Handlers {
  const own: Partial<Handlers> =
    "GET" in handlers
      ? { GET: route(handlers.GET, options), HEAD: route(handlers.GET, options) }
      : { POST: route(handlers.POST, options) };
  const allow = [...Object.keys(own), "OPTIONS"].join(", ");
  const preflight = route(async () => {
    const response = "GET" in handlers ? corsPreflight() : new Response(null, { status: 204 });
    response.headers.set("allow", allow);
    return response;
  });
  const { onProblem } = options;
  const refuse = route(
    async () => {
      throw new ApiProblem(405, "method-not-allowed", "This route does not have this method", { allow });
    },
    onProblem ? { onProblem } : {},
  );
  return everyMethod((method) => own[method] ?? (method === "OPTIONS" ? preflight : refuse));
}
