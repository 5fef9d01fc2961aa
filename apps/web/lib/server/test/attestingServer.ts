import type { Issuer } from "@app-registry/issuer";
import { attestRoutes } from "../api/controlRoutes.ts";
import { createApi } from "../api/createApi.ts";
import { attestingIssuer } from "../issuer.ts";
import { createRateLimits } from "../limits/rateLimits.ts";
import type { Registry } from "../registry.ts";
import { createWalletProofs, type WalletProofs } from "../walletProof/walletProof.ts";

/** Creates the part of a server that attests: POST /api/verify-and-attest, its batches and its issuer. */
export function attestingServer(registry: Registry): {
  /** Posts a body. `client` is the client address that a trusted proxy reports. */
  post(body: unknown, client?: string, path?: string): Promise<Response>;
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
  const api = createApi(attestRoutes({ issuer, proofs: () => proofs }), () => limits);
  const post = async (body: unknown, client?: string, path = "") =>
    api.fetch(
      new Request(`http://localhost/api/verify-and-attest${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...(client && { "x-forwarded-for": client }) },
        body: JSON.stringify(body),
      }),
    );
  return { post, issuer, proofs };
}
