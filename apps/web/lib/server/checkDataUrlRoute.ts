import { checkServedDocument } from "@app-registry/outbound";
import { HashAlgorithm } from "@app-registry/sdk";
import { hashSchema } from "@app-registry/sdk/internal";
import { z } from "zod";
import { createRoute, type RouteHandler } from "./createRouteHandler.ts";
import { readableUrlSchema } from "./importRoute.ts";
import { registry } from "./registry.ts";
import { readJsonBody } from "./requestBody.ts";

/** Body of POST /api/check-data-url. */
export const checkDataUrlRequestSchema = z.strictObject({
  url: readableUrlSchema,
  dataHash: hashSchema,
  algorithm: z.enum(HashAlgorithm).describe("0 keccak256, 1 sha256."),
});

/** Response of POST /api/check-data-url. */
export const servedDocumentSchema = z.object({
  ok: z.boolean(),
  dataHash: z.optional(hashSchema).describe("dataHash of the JSON that the URL serves instead."),
  reason: z.string().optional().describe("Why the check failed."),
});

/** Checks that a URL serves the document before a record names that URL. */
const answer: RouteHandler = async (request) => {
  const { url, dataHash, algorithm } = await readJsonBody(request, checkDataUrlRequestSchema);
  const recorded = { dataUrl: url, dataHash, dataHashAlgorithm: algorithm };
  const served = await checkServedDocument({ ...registry(), ...recorded });
  return Response.json(served, { headers: { "cache-control": "no-store" } });
};

export const checkDataUrlRoute = createRoute({ POST: answer }, { limit: "importClient" });
