import { checkDataUrlRoute } from "../../../lib/server/checkDataUrlRoute.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = checkDataUrlRoute;
