import { createRoute } from "../../../../lib/server/createRouteHandler.ts";
import { registry } from "../../../../lib/server/registry.ts";
import { serveDataUrl } from "../../../../lib/server/serveDataUrl.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  { GET: (request) => serveDataUrl(request, registry()) },
  { limit: "readClient" },
);
