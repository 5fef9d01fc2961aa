import { parseVersion } from "@app-registry/sdk";
import { readServiceDocument } from "../../../../features/service/serviceDocument.ts";
import { createRoute } from "../../../../lib/server/createRouteHandler.ts";
import { cacheSeconds } from "../../../../lib/server/embeds/badge.ts";
import { renderCard } from "../../../../lib/server/embeds/card.tsx";
import { readRequestedReport } from "../../../../lib/server/embeds/readRequestedReport.ts";
import { registry } from "../../../../lib/server/registry.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  {
    GET: async (request) => {
      const report = await readRequestedReport(request, "/api/card/");
      const { did, version } = report;
      const record =
        version && (await registry().client.getVersionRecord({ did, version: parseVersion(version) }));
      const document = record ? await readServiceDocument(record) : undefined;
      const picture = await renderCard(
        report,
        document?.ok ? document.metadata.name : undefined,
      ).arrayBuffer();
      return new Response(picture, {
        headers: {
          "content-type": "image/png",
          "cache-control": `public, max-age=${cacheSeconds(report)}`,
        },
      });
    },
  },
  { limit: "readClient" },
);
