import { importMcp } from "@app-registry/outbound";
import { registry } from "../../../../lib/server/registry.ts";
import { importRequestSchema, readJsonBody } from "../../../../lib/server/requestBody.ts";
import { routeMethods } from "../../../../lib/server/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods(
  {
    POST: async (request) => {
      const { url } = await readJsonBody(request, importRequestSchema);
      return Response.json(await importMcp(url, registry()), { headers: { "cache-control": "no-store" } });
    },
  },
  { limit: "importClient" },
);
