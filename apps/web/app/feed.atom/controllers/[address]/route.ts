import { serveControllerFeed } from "../../../../lib/server/accountRoutes.ts";
import { createRoute } from "../../../../lib/server/createRouteHandler.ts";
import { registry } from "../../../../lib/server/registry.ts";

/** Who asks to control the DIDs of an account, for a feed reader. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  { GET: (request) => serveControllerFeed(request, registry()) },
  { limit: "searchClient" },
);
