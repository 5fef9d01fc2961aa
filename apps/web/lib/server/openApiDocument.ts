import type { JsonSchema } from "./openApi/builders.ts";
import { controlRoutes } from "./openApi/controlRoutes.ts";
import { importRoutes } from "./openApi/importRoutes.ts";
import { mcpRegistryRoutes } from "./openApi/mcpRegistryRoutes.ts";
import { pictureRoutes } from "./openApi/pictureRoutes.ts";
import { recordRoutes } from "./openApi/recordRoutes.ts";
import { serverRoutes } from "./openApi/serverRoutes.ts";

/** Returns the OpenAPI 3.1 document of this API, built from the schemas that validate requests and type responses. */
export function openApiDocument(publicUrl: string): JsonSchema {
  return {
    openapi: "3.1.0",
    info: {
      title: "App Registry",
      version: "0.1.0",
      description:
        "Search and verify services in an App Registry, and get control of a DID attested. " +
        "Errors are problem details (RFC 9457) with a stable `code`; every response has an x-request-id header. " +
        "Unsupported methods return 405 with Allow; unknown paths return 404.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl }],
    paths: {
      ...controlRoutes,
      ...recordRoutes,
      ...mcpRegistryRoutes,
      ...pictureRoutes,
      ...importRoutes,
      ...serverRoutes,
    },
  };
}
