import { type BlockParameter, type ClientContext, resolverContract } from "../context.ts";
import { readView } from "../readView.ts";

/** The resolver's grace: seconds after expiry within which a matured attestation can be renewed without loss. */
export const RENEWAL_GRACE_SECONDS = 7 * 24 * 3_600;

/** The resolver's settings, in seconds. They never change. */
export type ResolverPolicy = {
  /** Longest lifetime of an attestation. */
  maxTtl: number;
  /** Time until an attestation on a claimed DID matures. */
  maturation: number;
  /** Time from the opening of a challenge until it can be resolved; it has expired after twice that. */
  challengePeriod: number;
};

/**
 * Reads how long an attestation may live, how long a later attestation takes to mature, and how long a challenge takes.
 *
 * @example
 * const { maxTtl, maturation, challengePeriod } = await client.getResolverPolicy();
 */
export async function getResolverPolicy(
  context: ClientContext,
  at?: BlockParameter,
): Promise<ResolverPolicy> {
  const contract = resolverContract(context);
  const [maxTtl, maturation, challengePeriod] = await Promise.all([
    readView(context, contract, "maxTTL", [], at),
    readView(context, contract, "maturation", [], at),
    readView(context, contract, "challengePeriod", [], at),
  ]);
  return {
    maxTtl: Number(maxTtl),
    maturation: Number(maturation),
    challengePeriod: Number(challengePeriod),
  };
}
