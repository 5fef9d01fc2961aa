import { environment } from "../../../lib/server/environment.ts";
import { openApiDocument } from "../../../lib/server/openApiDocument.ts";
import { corsPreflight, route } from "../../../lib/server/route.ts";

export const dynamic = "force-dynamic";

export const GET = route(async () =>
  Response.json(openApiDocument(environment().publicUrl), {
    headers: { "cache-control": "public, max-age=300" },
  }),
);
export const OPTIONS = corsPreflight;
