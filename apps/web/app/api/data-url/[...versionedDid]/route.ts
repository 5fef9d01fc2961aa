import { registry } from "../../../../lib/server/registry.ts";
import { routeMethods } from "../../../../lib/server/route.ts";
import { serveDataUrl } from "../../../../lib/server/serveDataUrl.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods(
  { GET: (request) => serveDataUrl(request, registry()) },
  { limit: "readClient" },
);
