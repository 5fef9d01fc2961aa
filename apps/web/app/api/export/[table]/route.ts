import { createRoute } from "../../../../lib/server/createRouteHandler.ts";
import { serveExport } from "../../../../lib/server/exportTable.ts";
import { registry } from "../../../../lib/server/registry.ts";

/** Serves the rows of an index table, page by page. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  { GET: (request) => serveExport(request, registry()) },
  { limit: "searchClient" },
);
