import { createRoute } from "../../../lib/server/createRouteHandler.ts";
import { registry } from "../../../lib/server/registry.ts";
import { serveSuggestions } from "../../../lib/server/suggest.ts";

/** Serves suggestions for an incomplete search. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  { GET: (request) => serveSuggestions(request, registry()) },
  { limit: "searchClient" },
);
