import { type AtBlock, type ClientContext, resolverContract } from "../context.ts";
import { readView } from "../readView.ts";

/** The resolver's settings, in seconds. */
export type ResolverPolicy = {
  /** Wait of a newcomer on a claimed DID. */
  maturation: number;
  /** Longest lifetime of an attestation. */
  maxTtl: number;
};

/**
 * Reads how long a newcomer waits and how long an attestation may live.
 *
 * @example
 * const { maturation, maxTtl } = await client.getResolverPolicy();
 */
export async function getResolverPolicy(context: ClientContext, at?: AtBlock): Promise<ResolverPolicy> {
  const contract = resolverContract(context);
  const [maturation, maxTtl] = await Promise.all([
    readView(context, contract, "maturation", [], at),
    readView(context, contract, "maxTTL", [], at),
  ]);
  return { maturation: Number(maturation), maxTtl: Number(maxTtl) };
}
