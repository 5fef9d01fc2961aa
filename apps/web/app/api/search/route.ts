import { rateLimits } from "../../../lib/server/limits/rateLimits.ts";
import { registry } from "../../../lib/server/registry.ts";
import { routeMethods } from "../../../lib/server/routeMethods.ts";
import { readSearch, searchRegistry } from "../../../lib/server/searchRegistry.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods(
  {
    GET: async (request) => {
      const page = await searchRegistry(registry(), readSearch(new URL(request.url)));
      return Response.json(page, { headers: { "cache-control": "no-cache" } });
    },
  },
  { limits: { of: rateLimits, client: "searchClient" } },
);
