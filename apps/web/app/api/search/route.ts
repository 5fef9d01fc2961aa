import { createRoute } from "../../../lib/server/createRouteHandler.ts";
import { registry } from "../../../lib/server/registry.ts";
import { serveSearch } from "../../../lib/server/searchRegistry.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  { GET: (request) => serveSearch(request, registry()) },
  { limit: "searchClient" },
);
