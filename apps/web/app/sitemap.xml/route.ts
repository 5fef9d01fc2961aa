import { routeHandlers } from "../../lib/server/api.ts";

export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeHandlers;
