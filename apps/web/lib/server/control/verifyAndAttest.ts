import {
  type CheckRequest,
  type Issuer,
  type SendCheck,
  type VerifyAndAttestFailure,
  type VerifyAndAttestRequest,
  type VerifyAndAttestResult,
  verifyAndAttestFailureSchema,
  verifyAndAttestRequestSchema,
  verifyAndAttestResponseSchema,
} from "@app-registry/issuer";
import { getHost } from "@app-registry/outbound";
import { getProvenSubject } from "@app-registry/sdk";
import { getDidContract, getDidHost } from "@app-registry/sdk/internal";
import { metrics } from "@app-registry/server/metrics";
import type { Address } from "viem";
import { z } from "zod";
import { ApiProblem, problemResponse, toApiProblem } from "../http/problem.ts";
import { logFailure } from "../http/requestLog.ts";
import { problemSchema, type RouteContext } from "../http/route.ts";
import { type WalletProofs, walletProofSchema } from "./walletProof.ts";

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
  await context.count("attestHost", `${wallet} ${getCheckedHost(did) ?? did}`);
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
const getCountedWallet = (context: RouteContext, wallet: Address, proofs: WalletProofs | undefined) =>
  proofs ? wallet : `${wallet} ${context.clientAddress()}`;

/** Counts a request to a host or a contract. */
const countCheck = (
  context: RouteContext,
  did: string,
  { url }: Pick<CheckRequest<unknown>, "url">,
): Promise<void> =>
  context.count("attestChecksHost", url === undefined ? (getCheckedHost(did) ?? did) : getHost(url));

async function attestDid(
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

/** Returns the host that the check of a DID requests, or `undefined` for a contract. */
const getCheckedHost = (did: string): string | undefined =>
  getDidHost(did) === undefined ? undefined : getHost(`https://${getProvenSubject(did).name}`);

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

/** Maximum number of DIDs per request. */
const MAX_DIDS = 100;

/** Time after which no further check begins, in milliseconds. A client waits for this and for a receipt. */
const TIME_LIMIT = 30_000;

/** Returns what all DIDs of a batch must share: their host, or the chain of their contracts. */
const getBatchHost = (did: string): string => getCheckedHost(did) ?? `eip155:${getDidContract(did)?.chainId}`;

/** Body of POST /api/verify-and-attest/batch. */
export const attestBatchRequestSchema = attestRequestSchema.omit({ did: true }).extend({
  dids: z
    .array(attestRequestSchema.shape.did)
    .min(1)
    .max(MAX_DIDS)
    .refine((dids) => new Set(dids).size === dids.length, "lists a DID twice")
    .refine((dids) => new Set(dids.map(getBatchHost)).size === 1, "lists DIDs of several hosts")
    .describe("DIDs of one host, or of contracts on one chain."),
});

/** Problem of verify-and-attest. Its `status` is a word of the API, not the HTTP status. */
export const verifyAndAttestProblemSchema = problemSchema.extend(verifyAndAttestFailureSchema.shape);

/** Response of POST /api/verify-and-attest/batch: one entry per DID, in request order. */
export const attestBatchResponseSchema = z.object({
  results: z.array(
    z.object({
      did: z.string().describe("The canonical DID."),
      httpStatus: z.int().describe("HTTP status that a single request for this DID would return."),
      retryAfter: z.int().optional().describe("Seconds after which to try again, if that may succeed."),
      response: z
        .union([verifyAndAttestResponseSchema, verifyAndAttestProblemSchema])
        .describe("Body that a single request for this DID would return."),
    }),
  ),
});

type BatchContext = RouteContext & { body: z.output<typeof attestBatchRequestSchema> };

/**
 * Checks DIDs of one host and attests the requested schemas for each. Sends one request to the host at a time. A
 * problem of one DID doesn't affect the others.
 */
export async function verifyAndAttestBatch(
  request: Request,
  context: BatchContext,
  issuer: () => Promise<Issuer>,
  proofs: WalletProofs | undefined,
  timeLimit = TIME_LIMIT,
): Promise<Response> {
  const { siwe, dids, ...parameters } = context.body;
  const { connectedAddress: address, requiredSchemas } = parameters;
  context.note({ dids, connectedAddress: address, requiredSchemas });
  await proofs?.check(siwe, { dids, address });
  const wallet = getCountedWallet(context, address, proofs);
  await context.count("attestAddress", wallet);
  const sendInTurn = createTurn(context, wallet, timeLimit);
  const attesting = await issuer();
  const ofOne = { ...context, note: () => undefined };
  const startedAt = performance.now();
  const answerError = (did: string) => (error: unknown) => {
    const problem = toApiProblem(error);
    const outcome = { requestId: context.requestId, status: problem.httpStatus, startedAt, fields: { did } };
    if (problem.httpStatus >= 500) logFailure(request, problem, error, "verify-and-attest-batch", outcome);
    return verifyAndAttestProblem(problem, context);
  };
  const results = await Promise.all(
    dids.map(async (did) => {
      const answer = attestDid(ofOne, attesting, { ...parameters, did }, sendInTurn(did));
      const response = await answer.catch(answerError(did));
      const retryAfter = response.headers.get("retry-after");
      return {
        did,
        httpStatus: response.status,
        ...(retryAfter !== null && { retryAfter: Number(retryAfter) }),
        response: (await response.json()) as z.output<
          typeof attestBatchResponseSchema
        >["results"][number]["response"],
      };
    }),
  );
  context.note({ failed: results.filter(({ httpStatus }) => httpStatus >= 400).length });
  return Response.json({ results } satisfies z.output<typeof attestBatchResponseSchema>, {
    headers: { "cache-control": "no-store" },
  });
}

/**
 * Creates a function that sends the requests of checks one at a time. As long as the host names the wallet, the batch
 * counts as one request. Each request after another outcome counts as a further one, so that nobody makes this server
 * request more from a stranger's host by a batch than by single requests.
 */
function createTurn(context: BatchContext, wallet: string, timeLimit: number): (did: string) => SendCheck {
  const end = performance.now() + timeLimit;
  let last: Promise<unknown> = Promise.resolve();
  let isFirst = true;
  let isPaid = false;

  const pay = async (did: string) => {
    if (!isFirst) {
      await context.count("attestClient", context.clientAddress());
      await context.count("attestAddress", wallet);
    }
    await context.count("attestHost", `${wallet} ${getBatchHost(did)}`);
    isFirst = false;
    isPaid = true;
  };

  return (did) =>
    ({ send, url, provesControl }) => {
      const current = last.then(async () => {
        if (performance.now() > end) throw new ApiProblem(504, "timeout", "Timed out", { retryable: true });
        if (!isPaid) await pay(did);
        await countCheck(context, did, { url });
        isPaid = false;
        const result = await send();
        isPaid = provesControl?.(result) ?? false;
        return result;
      });
      last = current.catch(() => undefined);
      return current;
    };
}
