import { healthSchema } from "@app-registry/server/health";
import { answer, anyJson, get } from "./parts.ts";

/** Routes about this server. */
export const serverRoutes = {
  "/api/health": get("health", "Whether the server can do its work, and what keeps it from it", {
    responses: {
      "200": answer("ok or degraded.", healthSchema),
      "503": answer("down: chain, database or the issuer's authorisation is gone.", healthSchema),
    },
  }),
  "/api/deployment": get(
    "getDeployment",
    "The contracts' addresses on the chain that this server reads, and an RPC endpoint of it",
    {
      responses: {
        "200": anyJson("The deployment file, with `rpcUrl`: the RPC endpoint that clients are told."),
      },
    },
  ),
  "/api/openapi.json": get("getOpenApi", "This document", {
    responses: { "200": anyJson("OpenAPI 3.1.") },
  }),
};
