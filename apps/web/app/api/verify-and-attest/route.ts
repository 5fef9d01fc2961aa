import { issuer } from "../../../lib/server/issuer.ts";
import { rateLimits } from "../../../lib/server/limits/rateLimits.ts";
import { attestRoute } from "../../../lib/server/verifyAndAttest.ts";
import { walletProofs } from "../../../lib/server/walletProof/walletProof.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = attestRoute({
  issuer,
  limits: rateLimits,
  proofs: walletProofs,
});
