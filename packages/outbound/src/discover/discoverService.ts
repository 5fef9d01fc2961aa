import {
  AppRegistryError,
  type Did,
  getProvenSubject,
  InvalidDidError,
  MAX_URL_LENGTH,
  parseDid,
} from "@app-registry/sdk";
import { getDidContract } from "@app-registry/sdk/internal";
import type { Address } from "viem";
import { printable } from "../fetch/guardedFetchError.ts";
import { isLoopbackHost } from "../fetch/hosts.ts";
import { discoverOnWeb, type WebDiscoveryOptions } from "./discoverOnWeb.ts";
import type { Discovery, Finding } from "./finding.ts";

/** Address of a contract. Without a chain ID, every configured chain is searched. */
export type ContractAddress = { chainId: number | undefined; address: Address };

/** Parsed input of a discovery: a URL or a contract. `did` is present if the person entered a DID. */
export type DiscoveryTarget = { did?: string } & ({ url: URL } | { contract: ContractAddress });

export type DiscoverOptions = WebDiscoveryOptions & {
  /**
   * Reads a contract, with its did:pkh as the finding's `url`. Without a chain ID, reads it on every configured chain.
   */
  readContract?: ((contract: ContractAddress) => Promise<Finding[]>) | undefined;
};

/** Error for an input that is not a service address. The message lists the accepted formats. */
export class UnusableAddressError extends AppRegistryError {
  override readonly name = "UnusableAddressError";

  constructor(input: string, reason = `"${printable(input)}" is not a valid service address.`) {
    super(reason, {
      action:
        "Enter a URL (https://example.com/mcp), a domain (example.com), a contract address (0x…) or a DID.",
      docsPath: "/metadata",
    });
  }
}

/**
 * Parses the input of a discovery: a URL, a domain with or without port and path, a contract address, its CAIP-10 ID,
 * or a DID. The default scheme is https, or http for a loopback host.
 * @throws {UnusableAddressError} if the input has none of these formats.
 */
export function parseDiscoveryTarget(input: string): DiscoveryTarget {
  const text = input.trim();
  const isBare = /^0x[0-9a-f]*$/i.test(text);
  if (!isBare && !/^(?:did|eip155):/i.test(text)) return { url: readUrl(text) };
  // Use any chain ID for a bare address, because this checks only the address.
  const written = isBare ? `did:pkh:eip155:1:${text}` : text.replace(/^eip155:/i, "did:pkh:$&");
  const parsed = parseDidOrThrow(text, written);
  const { did } = parsed;
  const contract = getDidContract(parsed);
  if (contract === undefined) return { did, url: readUrl(getProvenSubject(did).name) };
  return isBare ? { contract: { ...contract, chainId: undefined } } : { did, contract };
}

function parseDidOrThrow(input: string, did: string): Did {
  try {
    return parseDid(did);
  } catch (error) {
    if (error instanceof InvalidDidError) throw new UnusableAddressError(input, error.reason);
    throw error;
  }
}

function readUrl(text: string): URL {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const href = hasScheme ? text : `https://${text}`;
  // Reject a single word: it is a valid host of a URL, but not a domain.
  const isWord = !hasScheme && !/^[^/?#]*[.:]|^localhost(?:[/?#]|$)/i.test(text);
  if (text.length > MAX_URL_LENGTH || isWord || !URL.canParse(href)) throw new UnusableAddressError(text);
  const url = new URL(href);
  if (!/^https?:$/.test(url.protocol)) throw new UnusableAddressError(text);
  if (url.username !== "" || url.password !== "") {
    throw new UnusableAddressError(text, "URLs with a user name or password are not allowed.");
  }
  if (!hasScheme && isLoopbackHost(url.hostname)) url.protocol = "http:";
  url.hash = "";
  return url;
}

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
