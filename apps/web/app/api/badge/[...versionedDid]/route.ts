import { cacheSeconds, writeBadge } from "../../../../lib/server/machine/badge.ts";
import { requestedReport } from "../../../../lib/server/machine/requestedReport.ts";
import { routeMethods } from "../../../../lib/server/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods(
  {
    GET: async (request) => {
      const report = await requestedReport(request, "/api/badge/");
      return new Response(writeBadge(report), {
        headers: {
          "content-type": "image/svg+xml; charset=utf-8",
          "cache-control": `public, max-age=${cacheSeconds(report)}`,
        },
      });
    },
  },
  { limit: "readClient" },
);
