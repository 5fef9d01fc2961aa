import { createRoute } from "../../../../lib/server/createRouteHandler.ts";
import { liveHandler, probeNowHandler } from "../../../../lib/server/liveRoute.ts";
import { registry } from "../../../../lib/server/registry.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  { GET: liveHandler(registry), POST: probeNowHandler(registry) },
  { limit: "readClient" },
);
