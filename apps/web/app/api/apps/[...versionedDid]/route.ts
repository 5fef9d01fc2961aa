import { createRoute } from "../../../../lib/server/createRouteHandler.ts";
import { readApp } from "../../../../lib/server/readApp.ts";
import { registry } from "../../../../lib/server/registry.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  {
    GET: async (request) =>
      Response.json(await readApp(request, registry()), {
        headers: { "cache-control": "public, max-age=15" },
      }),
  },
  { limit: "readClient" },
);
