import { createIssuer, type Issuer } from "@app-registry/sdk/issuer";
import { privateKeyToAccount } from "viem/accounts";
import { ApiProblem } from "./problem.ts";
import { type Registry, registry } from "./registry.ts";

/**
 * Starts the issuer of a registry.
 * @throws ApiProblem `issuer-not-configured` without a key, NotAnIssuerError for a key that may not attest.
 */
export function startIssuer(source: Registry): Promise<Issuer> {
  const { environment, deployment, publicClient, guardedFetch, chainClient } = source;
  if (!environment.issuerPrivateKey) {
    throw new ApiProblem(503, "issuer-not-configured", "This server attests nothing", {
      detail: "Its operator has set no ISSUER_PRIVATE_KEY.",
    });
  }
  return createIssuer({
    account: privateKeyToAccount(environment.issuerPrivateKey),
    deployment,
    publicClient,
    guardedFetch,
    chainClient,
    allowLoopback: environment.allowLoopback,
  });
}

let current: Promise<Issuer> | undefined;

/** The issuer of this process: one queue, one nonce, one lock. A start that fails is tried again at the next call. */
export async function issuer(): Promise<Issuer> {
  current ??= startIssuer(registry());
  try {
    return await current;
  } catch (error) {
    current = undefined;
    throw error;
  }
}
