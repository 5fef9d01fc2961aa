import { importRoute } from "../../../lib/server/importRoute.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = importRoute;
