import { rateLimits } from "../../../../lib/server/limits/rateLimits.ts";
import { readServer } from "../../../../lib/server/mcpRegistry/readServer.ts";
import { registry } from "../../../../lib/server/registry.ts";
import { routeMethods } from "../../../../lib/server/routeMethods.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods(
  {
    GET: async (request) =>
      Response.json(await readServer(request, registry()), { headers: { "cache-control": "no-cache" } }),
  },
  { limits: { of: rateLimits, client: "searchClient" } },
);
