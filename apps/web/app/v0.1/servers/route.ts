import { rateLimits } from "../../../lib/server/limits/rateLimits.ts";
import { listServers } from "../../../lib/server/mcpRegistry/listServers.ts";
import { registry } from "../../../lib/server/registry.ts";
import { routeMethods } from "../../../lib/server/routeMethods.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods(
  {
    GET: async (request) =>
      Response.json(await listServers(new URL(request.url), registry()), {
        headers: { "cache-control": "no-cache" },
      }),
  },
  { limits: { of: rateLimits, client: "searchClient" } },
);
