import { parseSearchParams } from "@app-registry/sdk";
import { rateLimits } from "../../../lib/server/limits/rateLimits.ts";
import { registry } from "../../../lib/server/registry.ts";
import { routeMethods } from "../../../lib/server/routeMethods.ts";
import { searchRegistryAsJson } from "../../../lib/server/searchRegistry.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods(
  {
    GET: async (request) => {
      const query = parseSearchParams(new URL(request.url).searchParams);
      const headers = { "content-type": "application/json", "cache-control": "no-cache" };
      return new Response(await searchRegistryAsJson(registry(), query), { headers });
    },
  },
  { limits: { of: rateLimits, client: "searchClient" } },
);
