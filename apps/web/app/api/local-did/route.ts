import { createRoute } from "../../../lib/server/createRouteHandler.ts";
import { localDidDocument } from "../../../lib/server/localDid.ts";
import { registry } from "../../../lib/server/registry.ts";

/** Serves every `…/did.json` of this server. The rewrite preserves the request's own path. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute({
  GET: async (request) => {
    const document = localDidDocument(new URL(request.url).pathname, request.headers.get("host"), registry());
    return new Response(JSON.stringify(document), { headers: { "content-type": "application/did+json" } });
  },
});
