import { parseDid } from "@app-registry/sdk";
import { LOCAL_MNEMONIC } from "@app-registry/sdk/internal";
import { once } from "@app-registry/server/async";
import { healthResponse, healthSchema } from "@app-registry/server/health";
import { createOperations, healthzResponse, readyzResponse } from "@app-registry/server/operations";
import { type Address, toHex } from "viem";
import { mnemonicToAccount, privateKeyToAddress } from "viem/accounts";
import { ApiProblem } from "./http/problem.ts";
import { answer, anyJson, defineRoute } from "./http/route.ts";
import { readPackages } from "./packages.ts";
import { environment, type Registry } from "./registry.ts";
import { currentHealth } from "./start.ts";

const LOCAL_ACCOUNTS = 20;

const addresses = once((): Address[] => {
  // Derive all accounts from one seed, because stretching the mnemonic is the slow part.
  const parent = mnemonicToAccount(LOCAL_MNEMONIC, { path: "m/44'/60'/0'/0" }).getHdKey();
  return Array.from({ length: LOCAL_ACCOUNTS }, (_, index) => {
    const { privateKey } = parent.deriveChild(index);
    if (!privateKey) throw new Error("A mnemonic account has a private key");
    return privateKeyToAddress(toHex(privateKey));
  });
});

/**
 * Returns the DID document of any `did:web:localhost%3A<port>[:<path>]` of this server. The document lists the chain's
 * test accounts, so a local user can register services without a domain. Only available where loopback DIDs are
 * allowed.
 * @param pathname The document's URL path, undecoded: `/.well-known/did.json`, or `/a/b/did.json` for `…:a:b`.
 */
export function localDidDocument(
  pathname: string,
  host: string | null,
  { environment }: Pick<Registry, "environment">,
): Record<string, unknown> {
  const path = /^\/(.+)\/did\.json$/.exec(pathname)?.[1];
  if (!environment.allowLoopback || path === undefined) {
    throw new ApiProblem(404, "not-found", "DID document not found");
  }
  const id = toDid(path, host ?? new URL(environment.publicUrl).host);
  return {
    "@context": [
      "https://www.w3.org/ns/did/v1",
      "https://w3id.org/security/suites/secp256k1recovery-2020/v2",
    ],
    id,
    verificationMethod: addresses().map((address, index) => ({
      id: `${id}#account-${index}`,
      type: "EcdsaSecp256k1RecoveryMethod2020",
      controller: id,
      blockchainAccountId: `eip155:${environment.chainId}:${address}`,
    })),
  };
}

function toDid(path: string, host: string): string {
  const suffix = path === ".well-known" ? [] : path.split("/");
  return parseDid(["did:web", host.replace(":", "%3A"), ...suffix].join(":")).did;
}

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
