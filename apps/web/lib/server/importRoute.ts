import { readContractFindings } from "@app-registry/issuer";
import { discoverService, discoverySchema, findingKinds } from "@app-registry/outbound";
import { MAX_URL_LENGTH } from "@app-registry/sdk";
import { z } from "zod";
import { createRoute, type RouteHandler } from "./createRouteHandler.ts";
import { registry } from "./registry.ts";
import { readJsonBody } from "./requestBody.ts";

/** URL that a client asks the server to read. */
export const readableUrlSchema = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .max(MAX_URL_LENGTH)
  .describe("URL to read.");

/** Body of POST /api/import. */
export const importRequestSchema = z.strictObject({
  input: z
    .string()
    .trim()
    .min(1, "must be a URL, a domain, a contract address or a DID")
    .max(MAX_URL_LENGTH)
    .describe("A URL, domain, contract address or DID."),
  kind: z
    .enum(findingKinds)
    .optional()
    .describe("Expected type of service, if known. This type is checked first."),
});

/** Response of POST /api/import. */
export const importAnswerSchema = discoverySchema;

/** Discovers how a service describes itself, for its publisher. Stores nothing. */
const answer: RouteHandler = async (request) => {
  const { input, kind } = await readJsonBody(request, importRequestSchema);
  const { guardedFetch, chainIds, chainClient } = registry();
  const discovery = await discoverService(input, {
    guardedFetch,
    kind,
    readContract: (contract) => readContractFindings(contract, { chainIds, chainClient }),
  });
  return Response.json(discovery, { headers: { "cache-control": "no-store" } });
};

export const importRoute = createRoute({ POST: answer }, { limit: "importClient" });
