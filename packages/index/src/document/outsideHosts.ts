import { getSite } from "@app-registry/outbound/site";
import { getRelation, listAddresses } from "@app-registry/sdk";
import {
  hashCanonicalDid,
  hostDids,
  isCheckedUse,
  isInside,
  MAX_OTHER_HOSTS,
} from "@app-registry/sdk/internal";
import { toAddressKey } from "./addressKeys.ts";

/** Longest text of all addresses of a document, in UTF-16 code units. */
const MAX_TEXT = 16_000;

/** A DID of a contract, for which the endpoint named Contract is an RPC. */
const CONTRACT_DID = `did:pkh:eip155:1:0x${"0".repeat(40)}`;

/**
 * Lists the addresses by which a service is reached, each after its use, and RPCs of its contract. Returns null if they
 * are too long to be stored.
 */
export function listReached(document: Record<string, unknown>): string[] | null {
  const keys = listAddresses(CONTRACT_DID, document).flatMap(({ use, url }) => {
    if (use !== "rpc" && !isCheckedUse(use)) return [];
    return [toAddressKey(use, URL.canParse(url) ? new URL(url).href : "")];
  });
  const reached = [...new Set(keys)];
  return reached.join("").length > MAX_TEXT ? null : reached;
}

/**
 * Lists the hosts, outside what a DID proves by its name, of a service's addresses. Each is the hashes of the host's
 * DIDs, without and with its port, separated by a space; empty for an IP address. Lists at most one more than *origin*
 * checks.
 */
export function listOutsideHosts(did: string, reached: readonly string[]): string[] {
  const isWeb = did.startsWith("did:web:");
  const hosts = reached.flatMap((key) => {
    const [use = ""] = key.split(" ", 1);
    const url = key.slice(use.length + 1);
    if ((use === "rpc" && !isWeb) || isInside(getRelation(did, url, getSite))) return [];
    return [hostDids({ url }).map(hashCanonicalDid).join(" ")];
  });
  return [...new Set(hosts)].slice(0, MAX_OTHER_HOSTS + 1);
}
