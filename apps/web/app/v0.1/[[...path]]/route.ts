import { noRoute } from "../../../lib/server/noRoute.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = noRoute;
