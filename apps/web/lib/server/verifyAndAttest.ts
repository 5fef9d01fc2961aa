import {
  type CheckRequest,
  type Issuer,
  type SendCheck,
  type VerifyAndAttestFailure,
  type VerifyAndAttestRequest,
  type VerifyAndAttestResult,
  verifyAndAttestRequestSchema,
} from "@app-registry/issuer";
import { getHost } from "@app-registry/outbound";
import { didDocumentUrl, parseDid } from "@app-registry/sdk";
import { metrics } from "@app-registry/server/metrics";
import type { Address } from "viem";
import type { z } from "zod";
import type { RouteContext } from "./api/route.ts";
import { ApiProblem, problemResponse } from "./problem.ts";
import { type WalletProofs, walletProofSchema } from "./walletProof/walletProof.ts";

const statusCodes = {
  "already-attested": 200,
  attested: 200,
  waiting: 200,
  signed: 200,
  pending: 202,
} as const;

/** Body of POST /api/verify-and-attest. */
export const attestRequestSchema = verifyAndAttestRequestSchema.extend({
  siwe: walletProofSchema.optional(),
});

/**
 * Checks a DID and attests the requested schemas. Every response, including a problem document, has the API's `ok`,
 * `status`, `attestations` and `txHashes`.
 */
export async function verifyAndAttest(
  context: RouteContext & { body: z.output<typeof attestRequestSchema> },
  issuer: () => Promise<Issuer>,
  proofs: WalletProofs | undefined,
): Promise<Response> {
  const { siwe, ...parameters } = context.body;
  const { did, connectedAddress: address, requiredSchemas } = parameters;
  context.note({ did, connectedAddress: address, requiredSchemas });
  await proofs?.check(siwe, { dids: [did], address });
  const wallet = getCountedWallet(context, address, proofs);
  await context.count("attestAddress", wallet);
  await context.count("attestHost", `${wallet} ${describeCheckTarget(did)}`);
  const sendCheck: SendCheck = async (request) => {
    await countCheck(context, did, request);
    return request.send();
  };
  return attestDid(context, await issuer(), parameters, sendCheck);
}

/**
 * Returns the key by which a wallet's requests are counted. Without a wallet proof anyone can name any wallet, so counts
 * by wallet and client address. A caller uses up only its own quota.
 */
export const getCountedWallet = (context: RouteContext, wallet: Address, proofs: WalletProofs | undefined) =>
  proofs ? wallet : `${wallet} ${context.clientAddress()}`;

/** Counts a request to a host or a contract. */
export const countCheck = (
  context: RouteContext,
  did: string,
  { url }: Pick<CheckRequest<unknown>, "url">,
): Promise<void> =>
  context.count("attestChecksHost", url === undefined ? describeCheckTarget(did) : getHost(url));

/** Attests one DID, and returns the response. */
export async function attestDid(
  context: RouteContext,
  issuer: Issuer,
  parameters: VerifyAndAttestRequest,
  sendCheck: SendCheck,
): Promise<Response> {
  const result = await issuer.verifyAndAttest(parameters, { client: context.clientAddress(), sendCheck });
  const { status: outcome, txHashes } = result;
  context.note({ outcome, txHashes, ...(result.status === "failed" ? { code: result.code } : {}) });
  if (result.status === "failed") return failedResponse(result, context.requestId);
  for (const { schema } of result.attestations) metrics().attestation(schema, outcome);
  return Response.json(result, {
    status: statusCodes[result.status],
    headers: { "cache-control": "no-store" },
  });
}

/**
 * Returns the host or contract that the check of a DID requests: the host of a did:web, or the contract of a did:pkh.
 */
function describeCheckTarget(did: string): string {
  const parsed = parseDid(did);
  return parsed.method === "web" ? getHost(didDocumentUrl(parsed)) : did;
}

const titles: Record<string, string> = {
  "did-document-unreachable": "Couldn't load the DID document",
  "did-document-missing": "DID document not found",
  "did-document-invalid": "Invalid DID document",
  "did-document-id-mismatch": "The DID document belongs to another DID",
  "did-document-deactivated": "The DID is deactivated",
  "wallet-not-in-did-document": "The DID document doesn't prove that this wallet controls the DID",
  "chain-not-configured": "This server can't read the contract's chain",
  "contract-owner-unknown": "No owner found for this contract",
  "contract-owner-mismatch": "Another account controls the contract",
  "recently-revoked": "The issuer recently revoked this wallet",
  "app-not-found": "This service is not registered",
  "record-not-controlled": "Neither the record's minter nor its holder controls the DID",
  "hash-mismatch": "The document doesn't match the record",
};

function failedResponse(result: VerifyAndAttestFailure, requestId: string): Response {
  const { code, detail, retryable, ...members } = result;
  metrics().refusal(code);
  const title = titles[code] ?? "Attestation failed";
  // Retryable failures come from another host or the chain. The publisher must fix all others.
  const problem = new ApiProblem(retryable ? 502 : 422, code, title, { detail, retryable });
  return problemResponse(problem, requestId, members);
}

/** Adds the members of this route's responses to its problems. */
export function verifyAndAttestProblem(
  problem: ApiProblem,
  { requestId }: Pick<RouteContext, "requestId">,
): Response {
  metrics().refusal(problem.code);
  const members = {
    ok: false,
    status: "failed",
    detail: problem.message,
    attestations: [],
    txHashes: [],
  } satisfies Partial<VerifyAndAttestResult>;
  return problemResponse(problem, requestId, members);
}
