import { z } from "zod";
import { catalogSchema, ownCatalog, publisherCatalog } from "../ard/aiCatalog.ts";
import * as ard from "../ard/ardSearch.ts";
import { noCacheJsonHeaders, respondWithEtag } from "../etag.ts";
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

/** Returns the routes of AI Catalogs and of Agentic Resource Discovery (ARD) 0.9 and 0.91. */
export function ardRoutes(registry: () => Registry): Route[] {
  const shared = { limits: ["searchClient"], onProblem: toArdProblem } satisfies Partial<Route>;
  const document = (operationId: string, summary: string, schema: z.ZodType) => ({
    operationId,
    summary: `${summary} whose control passes`,
    responses: { 200: routes.answer("A page may have fewer entries than requested.", schema) },
    errors: { ...routes.badRequest, ...routes.hidden, ...routes.noIndex },
    problem: ardProblemSchema,
  });
  const catalog = (request: Request, found: object) =>
    respondWithEtag(request, JSON.stringify(found), {
      ...noCacheJsonHeaders,
      "content-type": "application/ai-catalog+json",
    });
  return [
    ...["ard.json", "ai-catalog.json"].map((file) =>
      defineRoute({
        method: "get",
        path: `/.well-known/${file}`,
        handler: async (request) => catalog(request, ownCatalog(registry().environment.publicUrl)),
      }),
    ),
    defineRoute({
      ...shared,
      method: "get",
      path: "/api/ai-catalog/{did}",
      match: ["/api/ai-catalog/:did{.*}"],
      documented: {
        ...document("getAiCatalog", "Get the AI Catalog of a DID, of Active services", catalogSchema),
        description: "Lists services of the DID, of longer paths and of a host's ports, at most 25 of each.",
        parameters: [{ name: "did", in: "path", required: true, schema: { type: "string" } }],
      },
      handler: async (request) => catalog(request, await publisherCatalog(request, registry())),
    }),
    defineRoute({
      ...shared,
      method: "post",
      path: "/api/ard/search",
      onlyReads: true,
      body: ard.searchRequestSchema,
      documented: document("searchArd", "Search (ARD) for Active services", ard.searchResponseSchema),
      handler: async (_, { body }) => Response.json(await ard.searchArd(body, registry()), noStore),
    }),
    defineRoute({
      ...shared,
      method: "post",
      path: "/api/ard/explore",
      onlyReads: true,
      body: ard.exploreRequestSchema,
      documented: document("exploreArd", "Count (ARD) the Active services", ard.exploreResponseSchema),
      handler: async (_, { body }) => Response.json(await ard.exploreArd(body, registry()), noStore),
    }),
    defineRoute({
      ...shared,
      method: "get",
      path: "/api/ard/agents",
      documented: {
        ...document("listArd", "List (ARD) the Active services", ard.listResponseSchema),
        query: ard.listQuerySchema,
      },
      handler: async (request) => Response.json(await ard.listArd(new URL(request.url), registry()), noStore),
    }),
  ];
}
