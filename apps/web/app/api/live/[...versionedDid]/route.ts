import { checkNowHandler, liveHandler } from "../../../../lib/server/liveRoute.ts";
import { registry } from "../../../../lib/server/registry.ts";
import { routeMethods } from "../../../../lib/server/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods(
  { GET: liveHandler(registry), POST: checkNowHandler(registry) },
  { limit: "readClient" },
);
