import { healthzResponse } from "@app-registry/server/operations";
import { routeMethods } from "../../lib/server/route.ts";

export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods({
  GET: async () => healthzResponse(),
});
