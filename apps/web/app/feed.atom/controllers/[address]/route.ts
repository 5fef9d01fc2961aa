import { serveWarnings } from "../../../../lib/server/accountRoutes.ts";
import { registry } from "../../../../lib/server/registry.ts";
import { routeMethods } from "../../../../lib/server/route.ts";

/** Who asks to control the DIDs of an account, for a feed reader. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods(
  { GET: (request) => serveWarnings(request, registry()) },
  { limit: "searchClient" },
);
