import { checkHealth } from "../../../lib/server/checkHealth.ts";
import { issuer } from "../../../lib/server/issuer.ts";
import { registry } from "../../../lib/server/registry.ts";
import { routeMethods } from "../../../lib/server/routeMethods.ts";

export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods({
  GET: async () => {
    const health = await checkHealth(registry(), issuer);
    const status = health.status === "down" ? 503 : 200;
    return Response.json(health, { status, headers: { "cache-control": "no-store" } });
  },
});
