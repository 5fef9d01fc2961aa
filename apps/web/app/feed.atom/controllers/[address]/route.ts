import { serveControllerFeed } from "../../../../lib/server/accountRoutes.ts";
import { createRoute } from "../../../../lib/server/createRouteHandler.ts";
import { registry } from "../../../../lib/server/registry.ts";

/** Serves an Atom feed of warnings about an account's DIDs. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  { GET: (request) => serveControllerFeed(request, registry()) },
  { limit: "searchClient" },
);
