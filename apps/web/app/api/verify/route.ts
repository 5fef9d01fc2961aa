import { createRoute } from "../../../lib/server/createRouteHandler.ts";
import { registry } from "../../../lib/server/registry.ts";
import { verifyManyHandler } from "../../../lib/server/verifyBatch.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  { POST: verifyManyHandler(registry) },
  { limit: "readClient", onlyReads: true },
);
