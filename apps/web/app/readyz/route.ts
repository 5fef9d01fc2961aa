import { createOperations, readyzResponse } from "@app-registry/server/operations";
import { currentHealth } from "../../lib/server/currentHealth.ts";
import { createRoute } from "../../lib/server/route.ts";

export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute({
  GET: async () => readyzResponse(await createOperations(currentHealth).readiness()),
});
