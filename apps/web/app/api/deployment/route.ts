import { registry } from "../../../lib/server/registry.ts";
import { corsPreflight, route } from "../../../lib/server/route.ts";

export const dynamic = "force-dynamic";

export const GET = route(async () => {
  const { deployment, environment } = registry();
  const connection = { ...deployment, rpcUrl: environment.publicRpcUrl };
  return Response.json(connection, { headers: { "cache-control": "public, max-age=300" } });
});
export const OPTIONS = corsPreflight;
