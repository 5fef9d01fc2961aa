import { listServers } from "../../../lib/server/mcpRegistry/listServers.ts";
import { mcpRegistryRoute } from "../../../lib/server/mcpRegistry/mcpRegistryRoute.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mcpRegistryRoute((request, registry) =>
  listServers(new URL(request.url), registry),
);
