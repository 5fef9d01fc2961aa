import { registry } from "../../../lib/server/registry.ts";
import { routeMethods } from "../../../lib/server/route.ts";
import { verifyManyHandler } from "../../../lib/server/verifyMany.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods(
  { POST: verifyManyHandler(registry) },
  { limit: "readClient", onlyReads: true },
);
