import { liveRoute } from "../../../../lib/server/liveRoute.ts";
import { registry } from "../../../../lib/server/registry.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = liveRoute(registry);
