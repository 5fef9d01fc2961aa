import { registry } from "../../../../lib/server/registry.ts";
import { routeMethods } from "../../../../lib/server/route.ts";
import { serveSnapshot } from "../../../../lib/server/snapshots.ts";

/** The manifest of a day's snapshot, or its file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods(
  { GET: (request) => serveSnapshot(request, registry()) },
  { limit: "searchClient" },
);
