import { parseSearchParams } from "@app-registry/sdk";
import { rateLimits } from "../../../lib/server/limits/rateLimits.ts";
import { registry } from "../../../lib/server/registry.ts";
import { routeMethods } from "../../../lib/server/routeMethods.ts";
import { searchRegistry } from "../../../lib/server/searchRegistry.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods(
  {
    GET: async (request) => {
      const page = await searchRegistry(registry(), parseSearchParams(new URL(request.url).searchParams));
      return Response.json(page, { headers: { "cache-control": "no-cache" } });
    },
  },
  { limits: { of: rateLimits, client: "searchClient" } },
);
