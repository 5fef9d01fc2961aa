import { notFoundRoute } from "../../../lib/server/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = notFoundRoute;
