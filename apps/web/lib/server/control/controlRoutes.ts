import { type Issuer, verifyAndAttestResponseSchema } from "@app-registry/issuer";
import { ApiProblem } from "../http/problem.ts";
import { answer, badRequest, defineRoute, noStore } from "../http/route.ts";
import { checkTurns } from "../http/turns.ts";
import {
  type VerifyResponse,
  verifyBatch,
  verifyRequestSchema,
  verifyResponseSchema,
} from "../records/verifyBatch.ts";
import type { Registry } from "../registry.ts";
import {
  attestBatchRequestSchema,
  attestBatchResponseSchema,
  attestRequestSchema,
  verifyAndAttest,
  verifyAndAttestBatch,
  verifyAndAttestProblem,
  verifyAndAttestProblemSchema,
} from "./verifyAndAttest.ts";
import { nonceSchema, type WalletProofs } from "./walletProof.ts";

type AttestingParts = { issuer: () => Promise<Issuer>; proofs: () => WalletProofs | undefined };

/** Returns the routes that attest. */
export const attestRoutes = ({ issuer, proofs }: AttestingParts) => [
  defineRoute({
    method: "post",
    path: "/api/verify-and-attest",
    limits: ["attestClient"],
    inTurn: checkTurns,
    logged: "verify-and-attest",
    body: attestRequestSchema,
    onProblem: verifyAndAttestProblem,
    documented: {
      operationId: "verifyAndAttest",
      summary: "Verify that a wallet controls a DID and attest it",
      description:
        "Safe to repeat: a request for an attestation that exists or is pending sends nothing. data-hash attests the hash that " +
        "the record has now, if its minter or holder controls the DID and the document hashes to it; the server never attests " +
        "a hash that a caller supplies.",
      responses: {
        200: answer(
          "Attested now, already attested, signed by the issuer for you to submit, or waiting to take effect.",
          verifyAndAttestResponseSchema,
        ),
        202: answer("Sent, not yet confirmed. Safe to retry.", verifyAndAttestResponseSchema),
      },
      problem: verifyAndAttestProblemSchema,
      errors: {
        400: "Invalid request.",
        403: "`siwe` is required, or the one you sent is not valid, or a page of another site sent the request (`other-site`).",
        422: "Control is not proven (see `ways` and `publish`), or the resolver does not accept the wallet as a controller yet (see `code`).",
        502: "A host did not respond. Try again.",
        503: "The chain is unreachable, or the issuer has insufficient funds or has reached its spending limit. Try again later.",
        504: "Timed out. Try again.",
      },
    },
    handler: (_, context) => verifyAndAttest(context, issuer, proofs()),
  }),
  defineRoute({
    method: "post",
    path: "/api/verify-and-attest/batch",
    limits: ["attestClient"],
    inTurn: checkTurns,
    logged: "verify-and-attest-batch",
    body: attestBatchRequestSchema,
    onProblem: verifyAndAttestProblem,
    documented: {
      operationId: "verifyAndAttestBatch",
      summary: "Verify that a wallet controls up to 100 DIDs of one host and attest them",
      description:
        "Answers as verifyAndAttest does for each DID, which gets its own result. Counts as one request while each check " +
        "proves control; a check after a failed one, and each document that is not on the chain, counts as a further request. " +
        "Checks that do not begin within 30 seconds have the problem `timeout`.",
      responses: { 200: answer("One result per DID, in request order.", attestBatchResponseSchema) },
      problem: verifyAndAttestProblemSchema,
      errors: {
        400: "Invalid request, a DID twice, or DIDs of several hosts.",
        403: "`siwe` is required, or the one you sent is not valid, or a page of another site sent the request (`other-site`).",
        503: "The issuer is not available. Try again later.",
      },
    },
    handler: (request, context) => verifyAndAttestBatch(request, context, issuer, proofs()),
  }),
  defineRoute({
    method: "get",
    path: "/api/nonce",
    limits: ["readClient"],
    documented: {
      operationId: "getNonce",
      summary: "Get a nonce for the wallet's sign-in message (EIP-4361)",
      description: "The server binds a nonce to the DID and the wallet of its first use.",
      responses: { 200: answer("Valid for one DID and one wallet until it expires.", nonceSchema) },
      errors: {
        404: "This server does not require a sign-in message.",
        503: "The nonce store is unavailable. Try again.",
      },
    },
    async handler() {
      const required = proofs();
      if (!required) throw new ApiProblem(404, "not-found", "This server does not require wallet sign-in");
      return Response.json(await required.issueNonce(), noStore);
    },
  }),
];

/** Returns the route that verifies many services. */
export const verifyRoutes = (registry: () => Registry) => [
  defineRoute({
    method: "post",
    path: "/api/verify",
    limits: ["readClient"],
    inTurn: checkTurns,
    onlyReads: true,
    body: verifyRequestSchema,
    documented: {
      operationId: "verifyApps",
      summary: "Verify up to 50 services",
      description:
        "Verifies each DID as `verifyApp` of the SDK does. A service that is not registered fails the Record fact. A problem of " +
        "one DID doesn't affect the others. After 30 seconds, the remaining DIDs have the problem `timeout`. Each DID counts as " +
        "one read.",
      responses: { 200: answer("One report or problem per DID, in request order.", verifyResponseSchema) },
      errors: badRequest,
    },
    async handler(_, { body: { dids }, count, clientAddress }) {
      if (dids.length > 1) await count("readClient", clientAddress(), dids.length - 1);
      const results = { results: await verifyBatch(registry(), dids) };
      return Response.json(results satisfies VerifyResponse, noStore);
    },
  }),
];
