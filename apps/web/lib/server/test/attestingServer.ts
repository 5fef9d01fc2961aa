import type { Issuer } from "@app-registry/issuer";
import { attestRoutes } from "../control/controlRoutes.ts";
import { createWalletProofs, type WalletProofs } from "../control/walletProof.ts";
import { createApi } from "../http/createApi.ts";
import { createRateLimits } from "../http/rateLimits.ts";
import type { Registry } from "../registry.ts";
import { attestingIssuer } from "../start.ts";

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
