import { verifyAndAttestFailureSchema, verifyAndAttestResponseSchema } from "@app-registry/issuer";
import { attestRequestSchema } from "../verifyAndAttest.ts";
import { verifyRequestSchema, verifyResponseSchema } from "../verifyBatch.ts";
import { nonceSchema } from "../walletProof/walletProof.ts";
import {
  answer,
  badRequest,
  body,
  bodyProblems,
  get,
  post,
  problemSchema,
  problems,
  rateLimitedResponse,
} from "./builders.ts";

/** Problem of verify-and-attest. Its `status` is a word of the API, not the HTTP status. */
const verifyAndAttestProblemSchema = problemSchema.extend(verifyAndAttestFailureSchema.shape);

/** Routes that attest and verify. */
export const controlRoutes = {
  "/api/verify-and-attest": post("verifyAndAttest", "Verify that a wallet controls a DID and attest it", {
    description:
      "Safe to repeat: a request for an attestation that exists or is pending sends nothing. data-hash attests the hash that " +
      "the record has now, if its minter or holder controls the DID and the document hashes to it; the server never attests " +
      "a hash that a caller supplies.",
    requestBody: body(attestRequestSchema),
    responses: {
      "200": answer(
        "Attested now, already attested, signed by the issuer for you to submit, or waiting to take effect.",
        verifyAndAttestResponseSchema,
      ),
      "202": answer("Sent, not yet confirmed. Safe to retry.", verifyAndAttestResponseSchema),
      ...rateLimitedResponse(verifyAndAttestProblemSchema),
      ...problems(
        {
          400: "Invalid request.",
          403: "`siwe` is required, or the one you sent is not valid, or a page of another site sent the request (`other-site`).",
          ...bodyProblems,
          422: "Control is not proven (see `ways` and `publish`), or the resolver does not accept the wallet as a controller yet (see `code`).",
          502: "A host did not respond. Try again.",
          503: "The chain is unreachable, or the issuer has insufficient funds or has reached its spending limit. Try again later.",
          504: "Timed out. Try again.",
        },
        verifyAndAttestProblemSchema,
      ),
    },
  }),
  "/api/nonce": get("getNonce", "Get a nonce for the wallet's sign-in message (EIP-4361)", {
    description: "The server binds a nonce to the DID and the wallet of its first use.",
    responses: {
      "200": answer("Valid for one DID and one wallet until it expires.", nonceSchema),
      ...rateLimitedResponse(),
      ...problems({
        404: "This server does not require a sign-in message.",
        503: "The nonce store is unavailable. Try again.",
      }),
    },
  }),
  "/api/verify": post("verifyApps", "Verify up to 50 services", {
    description:
      "Verifies each DID as `verifyApp` of the SDK does. A service that is not registered fails the Record fact. A problem of " +
      "one DID doesn't affect the others. After 30 seconds, the remaining DIDs have the problem `timeout`. Each DID counts as " +
      "one read.",
    requestBody: body(verifyRequestSchema),
    responses: {
      "200": answer("One report or problem per DID, in request order.", verifyResponseSchema),
      ...rateLimitedResponse(),
      ...problems({ ...badRequest, ...bodyProblems }),
    },
  }),
};
