import { serveAccount } from "../../../../lib/server/accountRoutes.ts";
import { registry } from "../../../../lib/server/registry.ts";
import { routeMethods } from "../../../../lib/server/route.ts";

/** What an account holds, minted, controls or waits for. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods(
  { GET: (request) => serveAccount(request, registry()) },
  { limit: "searchClient" },
);
