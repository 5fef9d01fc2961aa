import { createRoute } from "../../../lib/server/createRouteHandler.ts";
import { registry } from "../../../lib/server/registry.ts";
import { serveSuggestions } from "../../../lib/server/suggest.ts";

/** What a search might mean while it is typed. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  { GET: (request) => serveSuggestions(request, registry()) },
  { limit: "searchClient" },
);
