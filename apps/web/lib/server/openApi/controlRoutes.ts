import { verifyAndAttestFailureSchema, verifyAndAttestResponseSchema } from "@app-registry/issuer";
import { attestRequestSchema } from "../verifyAndAttest.ts";
import { verifyRequestSchema, verifyResponseSchema } from "../verifyMany.ts";
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
  tooMany,
} from "./parts.ts";

/** A problem of verify-and-attest: its `status` is the API's word, not the HTTP status. */
const verifyAndAttestProblemSchema = problemSchema.extend(verifyAndAttestFailureSchema.shape);

/** Routes that attest and verify. */
export const controlRoutes = {
  "/api/verify-and-attest": post("verifyAndAttest", "Check that a wallet controls a DID, and attest it", {
    requestBody: body(attestRequestSchema),
    responses: {
      "200": answer("Attested, now or before, or waiting.", verifyAndAttestResponseSchema),
      "202": answer("Sent, and no receipt yet. Safe to repeat.", verifyAndAttestResponseSchema),
      ...tooMany(verifyAndAttestProblemSchema),
      ...problems(
        {
          400: "The request is not valid.",
          403: "This server wants `siwe`, or the one given does not hold.",
          ...bodyProblems,
          422: "Control is not proven (`ways` and `publish` say why), or the resolver does not let the wallet count yet (`code` says why).",
          502: "A host that was asked does not answer. Try again.",
          503: "The chain does not answer, or the issuer can't or may not spend now. Try again.",
          504: "It took too long. Try again.",
        },
        verifyAndAttestProblemSchema,
      ),
    },
  }),
  "/api/nonce": get(
    "getNonce",
    "A nonce for the message by which a wallet shows that its holder asks (EIP-4361)",
    {
      responses: {
        "200": answer("Good for one DID and one wallet, until it ends.", nonceSchema),
        ...tooMany(),
        ...problems({
          404: "This server wants no such message.",
          503: "The store of nonces does not answer. Try again.",
        }),
      },
    },
  ),
  "/api/verify": post("verifyApps", "Verify up to 50 services", {
    requestBody: body(verifyRequestSchema),
    responses: {
      "200": answer("A report or a problem for each DID, in their order.", verifyResponseSchema),
      ...tooMany(),
      ...problems({ ...badRequest, ...bodyProblems }),
    },
  }),
};
