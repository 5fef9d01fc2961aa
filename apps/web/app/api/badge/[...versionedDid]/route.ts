import { createRoute } from "../../../../lib/server/createRouteHandler.ts";
import { cacheSeconds, renderBadge } from "../../../../lib/server/embeds/badge.ts";
import { readRequestedReport } from "../../../../lib/server/embeds/readRequestedReport.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  {
    GET: async (request) => {
      const report = await readRequestedReport(request, "/api/badge/");
      return new Response(renderBadge(report), {
        headers: {
          "content-type": "image/svg+xml; charset=utf-8",
          "cache-control": `public, max-age=${cacheSeconds(report)}`,
        },
      });
    },
  },
  { limit: "readClient" },
);
