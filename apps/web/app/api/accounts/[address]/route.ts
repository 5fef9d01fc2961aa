import { serveAccount } from "../../../../lib/server/accountRoutes.ts";
import { createRoute } from "../../../../lib/server/createRouteHandler.ts";
import { registry } from "../../../../lib/server/registry.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  { GET: (request) => serveAccount(request, registry()) },
  { limit: "searchClient" },
);
