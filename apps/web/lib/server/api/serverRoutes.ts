import { healthResponse, healthSchema } from "@app-registry/server/health";
import { createOperations, healthzResponse, readyzResponse } from "@app-registry/server/operations";
import { currentHealth } from "../currentHealth.ts";
import { environment } from "../environment.ts";
import { localDidDocument } from "../localDid.ts";
import { readPackages } from "../packages.ts";
import type { Registry } from "../registry.ts";
import { answer, anyJson, defineRoute } from "./route.ts";

const cached = { headers: { "cache-control": "public, max-age=300" } };

/** Returns the routes about this server. `createDocument` returns the OpenAPI document. */
export const serverRoutes = (registry: () => Registry, createDocument: (publicUrl: string) => object) => [
  defineRoute({
    method: "get",
    path: "/api/health",
    documented: {
      operationId: "health",
      summary: "Get the server's health and current problems",
      responses: {
        200: answer("ok or degraded.", healthSchema),
        503: answer(
          "down: the chain or database is unreachable, or the issuer is no longer authorised.",
          healthSchema,
        ),
      },
    },
    handler: async () => healthResponse(await currentHealth()),
  }),
  defineRoute({ method: "get", path: "/healthz", handler: async () => healthzResponse() }),
  defineRoute({
    method: "get",
    path: "/readyz",
    handler: async () => readyzResponse(await createOperations(currentHealth).readiness()),
  }),
  defineRoute({
    method: "get",
    path: "/api/deployment",
    documented: {
      operationId: "getDeployment",
      summary: "Get the contract addresses on this server's chain, and an RPC endpoint",
      responses: {
        200: anyJson(
          "The deployment file plus `rpcUrl`, the RPC endpoint for clients, and `packages`, what `npx` installs.",
        ),
      },
    },
    async handler() {
      const { deployment, environment } = registry();
      const packages = await readPackages(environment);
      return Response.json({ ...deployment, rpcUrl: environment.publicRpcUrl, packages }, cached);
    },
  }),
  defineRoute({
    method: "get",
    path: "/api/openapi.json",
    documented: {
      operationId: "getOpenApi",
      summary: "Get this OpenAPI document",
      responses: { 200: anyJson("OpenAPI 3.1.") },
    },
    handler: async () => Response.json(createDocument(environment().publicUrl), cached),
  }),
];

/** Returns the route of every `…/did.json` of this server. Next rewrites to it and preserves the request's own path. */
export const localDidRoutes = (registry: () => Registry) => [
  defineRoute({
    method: "get",
    path: "/:path{.+}/did.json",
    async handler({ url, headers }) {
      const document = localDidDocument(new URL(url).pathname, headers.get("host"), registry());
      return new Response(JSON.stringify(document), { headers: { "content-type": "application/did+json" } });
    },
  }),
];
