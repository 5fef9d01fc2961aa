import { registry } from "../../../lib/server/registry.ts";
import { createRoute } from "../../../lib/server/route.ts";
import { verifyManyHandler } from "../../../lib/server/verifyMany.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  { POST: verifyManyHandler(registry) },
  { limit: "readClient", onlyReads: true },
);
