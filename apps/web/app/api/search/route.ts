import { registry } from "../../../lib/server/registry.ts";
import { corsPreflight, route } from "../../../lib/server/route.ts";
import { readSearch, searchRegistry } from "../../../lib/server/searchRegistry.ts";

export const GET = route(async (request) => {
  const page = await searchRegistry(registry(), readSearch(new URL(request.url)));
  return Response.json(page, { headers: { "cache-control": "no-cache" } });
});
export const OPTIONS = corsPreflight;
