import { type AtBlock, type ClientContext, resolverContract } from "../context.ts";
import { readView } from "../readView.ts";

/** The resolver's grace: seconds after expiry within which a settled attestation can be renewed without loss. */
export const GRACE = 7 * 24 * 3_600;

/** The resolver's settings, in seconds. */
export type ResolverPolicy = {
  /** Longest lifetime of an attestation. */
  maxTtl: number;
  /** Time until a newcomer's attestation settles. */
  maturation: number;
  /** Time from the opening of a challenge until it can be resolved; it is void after twice that. */
  challengePeriod: number;
};

/**
 * Reads how long an attestation may live, how long a newcomer waits, and how long a challenge takes.
 *
 * @example
 * const { maxTtl, maturation, challengePeriod } = await client.getResolverPolicy();
 */
export async function getResolverPolicy(context: ClientContext, at?: AtBlock): Promise<ResolverPolicy> {
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
