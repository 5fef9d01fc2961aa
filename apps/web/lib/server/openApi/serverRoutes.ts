import { healthSchema } from "@app-registry/server/health";
import { answer, anyJson, get } from "./builders.ts";

/** Routes about this server. */
export const serverRoutes = {
  "/api/health": get("health", "Get the server's health and current problems", {
    responses: {
      "200": answer("ok or degraded.", healthSchema),
      "503": answer(
        "down: the chain or database is unreachable, or the issuer is no longer authorised.",
        healthSchema,
      ),
    },
  }),
  "/api/deployment": get(
    "getDeployment",
    "Get the contract addresses on this server's chain, and an RPC endpoint",
    {
      responses: {
        "200": anyJson("The deployment file plus `rpcUrl`, the RPC endpoint for clients."),
      },
    },
  ),
  "/api/openapi.json": get("getOpenApi", "Get this OpenAPI document", {
    responses: { "200": anyJson("OpenAPI 3.1.") },
  }),
};
