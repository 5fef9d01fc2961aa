import { cacheSeconds, renderBadge } from "../../../../lib/server/machine/badge.ts";
import { readRequestedReport } from "../../../../lib/server/machine/requestedReport.ts";
import { createRoute } from "../../../../lib/server/route.ts";

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
