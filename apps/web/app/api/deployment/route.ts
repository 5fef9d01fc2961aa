import { createRoute } from "../../../lib/server/createRouteHandler.ts";
import { registry } from "../../../lib/server/registry.ts";

export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute({
  GET: async () => {
    const { deployment, environment } = registry();
    const connection = { ...deployment, rpcUrl: environment.publicRpcUrl };
    return Response.json(connection, { headers: { "cache-control": "public, max-age=300" } });
  },
});
