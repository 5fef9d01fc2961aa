import { z } from "zod";
import { ownCatalog } from "../ard/aiCatalog.ts";
import { searchArd, searchRequestSchema, searchResponseSchema } from "../ard/ardSearch.ts";
import { respondWithEtag, sharedJsonHeaders } from "../etag.ts";
import { searchTurns } from "../limits/routeTurns.ts";
import { type ApiProblem, problemResponse } from "../problem.ts";
import type { Registry } from "../registry.ts";
import * as routes from "./route.ts";
import { defineRoute, noStore, type Route } from "./route.ts";

/** Problem with the members that clients of ARD read. */
const ardProblemSchema = routes.problemSchema.extend({ errorCode: z.string(), message: z.string() });

function toArdProblem(problem: ApiProblem, { requestId }: { requestId: string }): Response {
  const { httpStatus, message } = problem;
  const known = { 404: "NOT_FOUND", 429: "RATE_LIMIT_EXCEEDED" }[httpStatus];
  const errorCode = known ?? (httpStatus < 500 ? "INVALID_ARGUMENT" : "INTERNAL_ERROR");
  return problemResponse(problem, requestId, { errorCode, message });
}

const serveCatalog = async (request: Request, registry: Registry): Promise<Response> =>
  respondWithEtag(request, JSON.stringify(ownCatalog(registry.environment.publicUrl)), {
    ...sharedJsonHeaders,
    "content-type": "application/ai-catalog+json",
  });

/** Returns the routes of this registry's AI Catalog and of Agentic Resource Discovery (ARD) 0.9 and 0.91. */
export const ardRoutes = (registry: () => Registry): Route[] => [
  ...["ard.json", "ai-catalog.json"].map((file) =>
    defineRoute({
      method: "get",
      path: `/.well-known/${file}`,
      handler: (request) => serveCatalog(request, registry()),
    }),
  ),
  defineRoute({
    method: "post",
    path: "/api/ard/search",
    limits: ["searchClient"],
    inTurn: searchTurns,
    onProblem: toArdProblem,
    onlyReads: true,
    body: searchRequestSchema,
    documented: {
      operationId: "searchArd",
      summary: "Search (ARD) for Active services whose control passes",
      responses: {
        200: routes.answer("A page may have fewer entries than requested.", searchResponseSchema),
      },
      errors: { ...routes.badRequest, ...routes.hidden, ...routes.noIndex },
      problem: ardProblemSchema,
    },
    handler: async (_, { body }) => Response.json(await searchArd(body, registry()), noStore),
  }),
];
