import { createRoute, type RouteHandler, type RouteOptions } from "../createRouteHandler.ts";
import { noCacheJsonHeaders, respondWithEtag } from "../etag.ts";
import { problemResponse } from "../problem.ts";
import { type Registry, registry } from "../registry.ts";

type Answer = (request: Request, registry: Registry) => Promise<unknown>;

/** Answers with JSON and its ETag. */
export const mcpRegistryHandler =
  (answer: Answer, of: () => Registry): RouteHandler =>
  async (request) =>
    respondWithEtag(request, JSON.stringify(await answer(request, of())), noCacheJsonHeaders);

/** Adds the member by which clients of the MCP registry's API read a problem. */
export const mcpRegistryProblem: NonNullable<RouteOptions["onProblem"]> = (problem, { requestId }) =>
  problemResponse(problem, requestId, { error: problem.title });

/** The methods of a route of the MCP registry's API. */
export const mcpRegistryRoute = (answer: Answer) =>
  createRoute(
    { GET: mcpRegistryHandler(answer, registry) },
    { limit: "searchClient", onProblem: mcpRegistryProblem },
  );
