import { AppRegistryError } from "@app-registry/sdk";
import { discoverOnWeb } from "./discoverOnWeb.ts";
import type { Discovery } from "./finding.ts";
import { type ContractAddress, type DiscoverOptions, parseDiscoveryTarget } from "./target.ts";

/**
 * Reads the self-description of a service from one address: a URL, a domain, a contract or a DID. Requests the address
 * and, unless it identifies a specific service, the well-known and conventional paths of its host: at most 30
 * locations, four at a time. Reports a location that fails in `looked` and continues with the others.
 *
 * @throws {UnusableAddressError} if the input is not an address.
 * @example
 * const { findings } = await discoverService(mcpUrl, { guardedFetch });
 * findings[0]?.kind; // "mcp"
 */
export async function discoverService(input: string, options: DiscoverOptions): Promise<Discovery> {
  const target = parseDiscoveryTarget(input);
  if ("url" in target) return discoverOnWeb(target.url, target.did, options);
  return discoverOnChains(target.contract, target.did, options);
}

async function discoverOnChains(
  contract: ContractAddress,
  did: string | undefined,
  { readContract }: DiscoverOptions,
): Promise<Discovery> {
  const input = did ?? contract.address;
  const look = { place: input, lookedFor: "a contract" };
  const given = did === undefined ? [] : [{ did, why: "The contract you entered." }];
  const nothing = (outcome: "absent" | "failed", reason: string): Discovery => ({
    input,
    dids: given,
    findings: [],
    looked: [{ ...look, outcome, reason }],
  });
  if (!readContract) return nothing("failed", "This registry isn't set up to read any chain.");
  try {
    const findings = await readContract(contract);
    if (findings.length === 0)
      return nothing("absent", "No contract was found at this address on the supported chains.");
    const dids = findings.map(({ url }) => ({ did: url, why: "Identifies the contract." }));
    const needsChoice = findings.length > 1 && { needsChoice: true };
    return { input, dids, findings, ...needsChoice, looked: [{ ...look, outcome: "found" }] };
  } catch (error) {
    if (error instanceof AppRegistryError) return nothing("failed", error.shortMessage);
    throw error;
  }
}
