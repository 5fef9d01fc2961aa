import { AppRegistryError, type Did, InvalidDidError, MAX_URL_LENGTH, parseDid } from "@app-registry/sdk";
import type { Address } from "viem";
import type { GuardedFetch } from "../guardedFetch.ts";
import { printable } from "../printable.ts";
import { isLoopbackHost } from "../publicAddress.ts";
import type { Finding, FindingKind } from "./finding.ts";

/** A contract; without a chain id it is looked for on every chain that is known. */
export type ContractAddress = { chainId: number | undefined; address: Address };

/** What a person asked for: an address on the web, or a contract. `did` is the one that was given. */
export type DiscoveryTarget = { did?: string } & ({ url: URL } | { contract: ContractAddress });

/** What looking for a service takes. */
export type DiscoverOptions = {
  guardedFetch: GuardedFetch;
  /** What the service is, if the person knows it: it is asked for first, and other guesses end once it is found. */
  kind?: FindingKind | undefined;
  /** Reads a contract, with its did:pkh as the finding's `url`; on every chain that the caller knows, if no chain is given. */
  readContract?: ((contract: ContractAddress) => Promise<Finding[]>) | undefined;
  /** Milliseconds for everything together. Default 20,000. */
  timeout?: number;
};

/** The input is nothing that can be looked up; the message says what can. */
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
 * Reads what a person pasted: a URL, a domain with or without port and path, the address of a contract, its CAIP-10 id,
 * or a DID. Without a scheme it is https, and http for a loopback host.
 * @throws UnusableAddressError
 */
export function parseDiscoveryTarget(input: string): DiscoveryTarget {
  const text = input.trim();
  if (/^0x[0-9a-f]*$/i.test(text)) {
    // Any chain: the address is checked, not the chain.
    const { address } = parseDidOrThrow(text, `did:pkh:eip155:1:${text}`);
    return { contract: { chainId: undefined, address } };
  }
  if (/^eip155:/i.test(text)) {
    const { did, chainId, address } = parseDidOrThrow(text, `did:pkh:${text}`);
    return { did, contract: { chainId, address } };
  }
  if (!/^did:/i.test(text)) return { url: readUrl(text) };
  const did = parseDidOrThrow(text, text);
  if (did.method === "pkh") return { did: did.did, contract: { chainId: did.chainId, address: did.address } };
  const port = did.port === undefined ? "" : `:${did.port}`;
  return { did: did.did, url: readUrl(`${did.host}${port}/${did.path.join("/")}`) };
}

function parseDidOrThrow(input: string, did: `did:pkh:${string}`): Extract<Did, { method: "pkh" }>;
function parseDidOrThrow(input: string, did: string): Did;
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
  // A word alone is no domain, although a URL could have it as its host.
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
