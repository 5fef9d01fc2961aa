import { createOperations, readyzResponse } from "@app-registry/server/operations";
import { createRoute } from "../../lib/server/createRouteHandler.ts";
import { currentHealth } from "../../lib/server/currentHealth.ts";

export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute({
  GET: async () => readyzResponse(await createOperations(currentHealth).readiness()),
});
