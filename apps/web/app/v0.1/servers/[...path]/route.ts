import { mcpRegistryRoute } from "../../../../lib/server/mcpRegistry/mcpRegistryRoute.ts";
import { readServer } from "../../../../lib/server/mcpRegistry/readServer.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mcpRegistryRoute(readServer);
