import { healthResponse } from "@app-registry/server/health";
import { createRoute } from "../../../lib/server/createRouteHandler.ts";
import { currentHealth } from "../../../lib/server/currentHealth.ts";

export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute({
  GET: async () => healthResponse(await currentHealth()),
});
