import { createRoute } from "../../../lib/server/createRouteHandler.ts";
import { environment } from "../../../lib/server/environment.ts";
import { openApiDocument } from "../../../lib/server/openApiDocument.ts";

export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute({
  GET: async () =>
    Response.json(openApiDocument(environment().publicUrl), {
      headers: { "cache-control": "public, max-age=300" },
    }),
});
