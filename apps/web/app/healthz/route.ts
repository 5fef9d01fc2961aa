import { healthzResponse } from "@app-registry/server/operations";
import { createRoute } from "../../lib/server/createRouteHandler.ts";

export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute({
  GET: async () => healthzResponse(),
});
