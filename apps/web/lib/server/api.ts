import { ardRoutes } from "./ard/ardRoutes.ts";
import { attestRoutes, verifyRoutes } from "./control/controlRoutes.ts";
import { walletProofs } from "./control/walletProof.ts";
import { feedRoutes } from "./feeds/feedRoutes.ts";
import { createApi } from "./http/createApi.ts";
import type { Route } from "./http/route.ts";
import { importRoutes } from "./imports/importRoutes.ts";
import { mcpRegistryRoutes } from "./mcp/mcpRegistryRoutes.ts";
import { mcpRoute } from "./mcp/mcpRoute.ts";
import { pictureRoutes } from "./pictures/pictureRoutes.ts";
import { recordRoutes } from "./records/recordRoutes.ts";
import { registry } from "./registry.ts";
import { localDidRoutes, serverRoutes } from "./serverRoutes.ts";
import { issuer } from "./start.ts";

/** All HTTP routes of this server. Route files of Next mount it. */
const api = createApi([
  ...localDidRoutes(registry),
  mcpRoute(registry),
  ...tag("Control", attestRoutes({ issuer, proofs: walletProofs })),
  ...tag("Verification", verifyRoutes(registry)),
  ...tag("Records and search", recordRoutes(registry)),
  ...tag("MCP registry", mcpRegistryRoutes(registry)),
  ...tag("AI Catalog and ARD", ardRoutes(registry)),
  ...tag("Pictures", pictureRoutes(registry)),
  ...tag("Import", importRoutes(registry)),
  ...tag("Server", serverRoutes(registry, openApiDocument)),
  ...tag("Feeds", feedRoutes(registry)),
]);

/** Adds a tag to the documented operations of some routes. */
function tag(name: string, routes: readonly Route[]): Route[] {
  return routes.map((route) =>
    route.documented ? { ...route, documented: { ...route.documented, tags: [name] } } : route,
  );
}

const info = {
  title: "App Registry",
  version: "0.1.0",
  description:
    "Search and verify services in an App Registry, and get control of a DID attested. " +
    "Errors are problem details (RFC 9457) with a stable `code`; every response has an x-request-id header. " +
    "Unsupported methods return 405 with Allow; unknown paths return 404.",
  license: { name: "MIT", identifier: "MIT" },
};

/** Returns the OpenAPI 3.1 document of this API, built from the schemas that validate requests and type responses. */
export function openApiDocument(publicUrl: string) {
  const externalDocs = { url: `${publicUrl}/docs/http-api`, description: "How to call these routes" };
  return api.getOpenAPI31Document({
    ...{ openapi: "3.1.0", info, externalDocs, servers: [{ url: publicUrl }], security: [] },
  });
}

/** Answers a request to any route. */
export const answerRequest = async (request: Request): Promise<Response> => api.fetch(request);

/** Handlers of a route file, one for each method that Next knows. */
export const routeHandlers = {
  GET: answerRequest,
  HEAD: answerRequest,
  POST: answerRequest,
  PUT: answerRequest,
  PATCH: answerRequest,
  DELETE: answerRequest,
  OPTIONS: answerRequest,
};
