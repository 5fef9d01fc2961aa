import { createRoute, rawPathAfter } from "../../../lib/server/createRouteHandler.ts";
import { sitemap } from "../../../lib/server/embeds/sitemap.ts";
import { ApiProblem } from "../../../lib/server/problem.ts";
import { registry } from "../../../lib/server/registry.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  {
    GET: async (request) => {
      const page = /^(0|[1-9]\d{0,8})$/.exec(rawPathAfter(request, "/sitemaps/"))?.[0];
      const text = page === undefined ? undefined : await sitemap(registry(), Number(page));
      if (text === undefined) throw new ApiProblem(404, "not-found", "Sitemap not found");
      return new Response(text, {
        headers: {
          "content-type": "application/xml; charset=utf-8",
          // Short, so that hidden services leave the sitemap soon.
          "cache-control": "public, max-age=60",
        },
      });
    },
  },
  { limit: "readClient" },
);
