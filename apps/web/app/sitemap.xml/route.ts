import { createRoute } from "../../lib/server/createRouteHandler.ts";
import { sitemapIndex } from "../../lib/server/embeds/sitemap.ts";
import { registry } from "../../lib/server/registry.ts";

/** Render per request, because new services are registered all the time. */
export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute({
  GET: async () =>
    new Response(await sitemapIndex(registry()), {
      headers: { "content-type": "application/xml; charset=utf-8", "cache-control": "public, max-age=3600" },
    }),
});
