import { type BlockParameter, type ClientContext, resolverContract } from "../context.ts";
import { readView } from "../readView.ts";

/** Time after expiry in which a matured attestation can be renewed without loss, in seconds. */
export const RENEWAL_GRACE_SECONDS = 7 * 24 * 3_600;

/** Settings of the resolver, in seconds. They never change. */
export type ResolverPolicy = {
  /** Longest lifetime of an attestation, in seconds. */
  maxTtl: number;
  /** Waiting period of an attestation if another account was attested for the DID before, in seconds. */
  maturation: number;
  /**
   * Time from the opening of a challenge until it can be resolved, in seconds. The challenge expires after twice that
   * time.
   */
  challengePeriod: number;
};

/**
 * Reads the resolver's settings: the longest lifetime of an attestation, the waiting period and the challenge period.
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
