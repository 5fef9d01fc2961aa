import { registry } from "../../../lib/server/registry.ts";
import { routeMethods } from "../../../lib/server/route.ts";
import { serveSnapshots } from "../../../lib/server/snapshots.ts";

/** The signed snapshots of what services answered. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods(
  { GET: (request) => serveSnapshots(request, registry()) },
  { limit: "searchClient" },
);
