import { notFoundRoute } from "../../../lib/server/createRouteHandler.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = notFoundRoute;
