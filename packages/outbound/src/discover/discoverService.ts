import type { Discovery } from "./finding.ts";
import { lookOnWeb } from "./lookOnWeb.ts";
import { type ContractAddress, type DiscoverOptions, readTarget } from "./target.ts";

/**
 * Finds out what a service says of itself, from one address: a URL, a domain, a contract or a DID. It asks the address
 * itself, and, unless that is something specific, the well-known and usual places of its host. One place that fails is
 * reported in `looked`, and spoils nothing else.
 *
 * @throws UnusableAddressError when the input is no address.
 * @example
 * const { findings, dids } = await discoverService("https://example.com/mcp", { guardedFetch });
 * findings[0]?.offers; // ["13 tools", "7 resources"]
 */
export async function discoverService(input: string, options: DiscoverOptions): Promise<Discovery> {
  const target = readTarget(input);
  if ("url" in target) return lookOnWeb(target.url, target.did, options);
  return lookOnChain(target.contract, target.did, options);
}

async function lookOnChain(
  contract: ContractAddress,
  did: string | undefined,
  { readContract }: DiscoverOptions,
): Promise<Discovery> {
  const input = did ?? contract.address;
  const look = { place: input, lookedFor: "a contract" };
  if (!readContract) {
    return {
      input,
      dids: did === undefined ? [] : [{ did, why: "It is the DID that you gave." }],
      findings: [],
      looked: [{ ...look, outcome: "failed", reason: "No chain can be read here." }],
    };
  }
  const findings = await readContract(contract);
  return {
    input,
    dids: findings.map(({ url }) => ({ did: url, why: "It names the contract." })),
    findings,
    looked: [{ ...look, outcome: findings.length > 0 ? "found" : "absent" }],
  };
}
