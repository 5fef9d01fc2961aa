import type { Issuer } from "@app-registry/issuer";
import { attestingIssuer } from "../issuer.ts";
import { createRateLimits } from "../limits/rateLimits.ts";
import type { Registry } from "../registry.ts";
import { attestRoute } from "../verifyAndAttest.ts";
import { createWalletProofs, type WalletProofs } from "../walletProof/walletProof.ts";

/** Creates the part of a server that attests: POST /api/verify-and-attest and its issuer. */
export function attestingServer(registry: Registry): {
  /** Posts a body. `client` is the client address that a trusted proxy reports. */
  post(body: unknown, client?: string): Promise<Response>;
  issuer(): Promise<Issuer>;
  proofs: WalletProofs | undefined;
} {
  let started: Promise<Issuer> | undefined;
  const limits = createRateLimits(registry.environment, registry.limitsDatabase);
  const proofs = createWalletProofs(registry);
  const issuer = () => {
    started ??= attestingIssuer(registry);
    return started;
  };
  const { POST: handler } = attestRoute({ issuer, limits: () => limits, proofs: () => proofs });
  const post = (body: unknown, client?: string) =>
    handler(
      new Request("http://localhost/api/verify-and-attest", {
        method: "POST",
        headers: { "content-type": "application/json", ...(client && { "x-forwarded-for": client }) },
        body: JSON.stringify(body),
      }),
    );
  return { post, issuer, proofs };
}
