import { readApp } from "../../../../lib/server/readApp.ts";
import { registry } from "../../../../lib/server/registry.ts";
import { corsPreflight, route } from "../../../../lib/server/route.ts";

export const GET = route(async (request) =>
  Response.json(await readApp(request, registry()), { headers: { "cache-control": "public, max-age=15" } }),
);
export const OPTIONS = corsPreflight;
