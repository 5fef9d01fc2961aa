import { importAgentCard } from "@app-registry/sdk/import";
import { importRequestSchema } from "../../../../lib/server/importRequest.ts";
import { registry } from "../../../../lib/server/registry.ts";
import { readJsonBody } from "../../../../lib/server/requestBody.ts";
import { route } from "../../../../lib/server/route.ts";

export const POST = route(async (request) => {
  const { url } = await readJsonBody(request, importRequestSchema);
  return Response.json(await importAgentCard(url, registry()), { headers: { "cache-control": "no-store" } });
});
