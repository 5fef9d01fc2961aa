import { readContractFindings } from "@app-registry/issuer";
import { checkServedDocument, discoverService, discoverySchema, findingKinds } from "@app-registry/outbound";
import { HashAlgorithm, MAX_URL_LENGTH } from "@app-registry/sdk";
import { hashSchema } from "@app-registry/sdk/internal";
import { z } from "zod";
import type { Registry } from "../registry.ts";
import { answer, badRequest, defineRoute, noStore } from "./route.ts";

/** Returns the routes that read an address for a publisher. They store nothing. */
export const importRoutes = (registry: () => Registry) => [
  defineRoute({
    method: "post",
    path: "/api/import",
    limits: ["importClient"],
    body: z.strictObject({
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
      variables: z
        .record(z.string().max(64), z.string().max(500))
        .optional()
        .describe("Values of the variables in the server's address, by name. See `variables` of a finding."),
    }),
    documented: {
      operationId: "importService",
      summary: "Read how a service describes itself",
      description:
        "Reads the address, and the well-known locations of its host if it is a domain or has no service. Each finding " +
        "is one service. A location that doesn't respond is part of the result, not an error.",
      responses: { 200: answer("What was found, and every location that was checked.", discoverySchema) },
      errors: { ...badRequest, 503: "A chain is unreachable." },
    },
    async handler(_, { body: { input, kind, variables } }) {
      const { guardedFetch, chainIds, chainClient } = registry();
      const chains = { chainIds, chainClient };
      const discovery = await discoverService(input, {
        guardedFetch,
        kind,
        variables,
        readContract: (contract) => readContractFindings(contract, chains),
      });
      return Response.json(discovery, noStore);
    },
  }),
  defineRoute({
    method: "post",
    path: "/api/check-data-url",
    limits: ["importClient"],
    body: z.strictObject({
      url: z
        .url({ protocol: /^https?$/, error: "must be an http or https URL" })
        .max(MAX_URL_LENGTH)
        .describe("URL to read."),
      dataHash: hashSchema,
      algorithm: z.enum(HashAlgorithm).describe("0 keccak256, 1 sha256."),
    }),
    documented: {
      operationId: "checkDataUrl",
      summary: "Check that a URL serves the document with a given hash",
      description:
        "Checks a URL before a record names it. The server reads it under the rules for outbound requests.",
      responses: {
        200: answer(
          "The result, with a reason if the check failed.",
          z.object({
            ok: z.boolean(),
            dataHash: z.optional(hashSchema).describe("dataHash of the JSON that the URL serves instead."),
            reason: z.string().optional().describe("Why the check failed."),
          }),
        ),
      },
      errors: badRequest,
    },
    async handler(_, { body: { url, dataHash, algorithm } }) {
      const recorded = { dataUrl: url, dataHash, dataHashAlgorithm: algorithm };
      return Response.json(await checkServedDocument({ ...registry(), ...recorded }), noStore);
    },
  }),
];
