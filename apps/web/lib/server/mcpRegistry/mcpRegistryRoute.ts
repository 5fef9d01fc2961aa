import { createRoute, type RouteHandler, type RouteOptions } from "../createRouteHandler.ts";
import { noCacheJsonHeaders, respondWithEtag } from "../etag.ts";
import { problemResponse } from "../problem.ts";
import { type Registry, registry } from "../registry.ts";

type Answer = (request: Request, registry: Registry) => Promise<unknown>;

/** Creates a handler that responds with JSON and its ETag. */
export const mcpRegistryHandler =
  (answer: Answer, of: () => Registry): RouteHandler =>
  async (request) =>
    respondWithEtag(request, JSON.stringify(await answer(request, of())), noCacheJsonHeaders);

/** Adds the `error` member, in which clients of the MCP registry's API expect the problem. */
export const mcpRegistryProblem: NonNullable<RouteOptions["onProblem"]> = (problem, { requestId }) =>
  problemResponse(problem, requestId, { error: problem.title });

/** Creates the handlers of a route of the MCP registry's API. */
export const mcpRegistryRoute = (answer: Answer) =>
  createRoute(
    { GET: mcpRegistryHandler(answer, registry) },
    { limit: "searchClient", onProblem: mcpRegistryProblem },
  );
