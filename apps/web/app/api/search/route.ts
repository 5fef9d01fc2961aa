import { registry } from "../../../lib/server/registry.ts";
import { routeMethods } from "../../../lib/server/route.ts";
import { serveSearch } from "../../../lib/server/searchRegistry.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods(
  { GET: (request) => serveSearch(request, registry()) },
  { limit: "searchClient" },
);
