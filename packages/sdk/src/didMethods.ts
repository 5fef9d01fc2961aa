import type { Address } from "viem";
import { getAddress } from "viem/utils";
import * as z from "zod/mini";
import { type Did, parseDid } from "./did.ts";
import { described } from "./schemas.ts";

/** Contract that a DID names, with its address in lower case. */
export type DidContract = { chainId: number; address: Address };

/** Host, port or path that a DID names. Without a port, all ports; with an empty path, the whole host. */
export type DidLocation = { host: string; port?: number; path: readonly string[] };

/** Rules of one method: what its DIDs name, either a place of a host or a contract. */
type DidMethod<Parsed extends Did> =
  | { getLocation(did: Parsed): DidLocation }
  | { getContract(did: Parsed): DidContract };

/** The methods. What a part of the registry must know of a DID's method is a column of this table. */
const methods: { [Method in Did["method"]]: DidMethod<Extract<Did, { method: Method }>> } = {
  web: { getLocation: (did) => did },
  pkh: { getContract: ({ chainId, address }) => ({ chainId, address }) },
};

type Named = { location: DidLocation } | { contract: DidContract };

function findNamed(did: string | Did): Named {
  const parsed = typeof did === "string" ? parseDid(did) : did;
  const method = methods[parsed.method] as DidMethod<Did>;
  return "getLocation" in method
    ? { location: method.getLocation(parsed) }
    : { contract: method.getContract(parsed) };
}

/** Subject of a DID. Control of the DID proves nothing else. */
export const provenSubjectSchema = z.object({
  kind: described(
    z.enum(["host", "path", "contract"]),
    "host: a whole host, or one port of it. path: one path of a host; other paths may belong to others.",
  ),
  name: described(
    z.string(),
    "example.com, example.com:8443, example.com/team, or the contract's CAIP-10 id with EIP-55 capitals.",
  ),
});

export type ProvenSubject = z.output<typeof provenSubjectSchema>;

/**
 * Returns the subject of a DID, which is proven while *control* passes. Names, publishers and links in metadata are
 * claims.
 *
 * @throws {InvalidDidError}
 * @example
 * getProvenSubject("did:web:example.com:team"); // { kind: "path", name: "example.com/team" }
 */
export function getProvenSubject(did: string | Did): ProvenSubject {
  const named = findNamed(did);
  if ("contract" in named) {
    const { chainId, address } = named.contract;
    return { kind: "contract", name: `eip155:${chainId}:${getAddress(address)}` };
  }
  const { host, port, path } = named.location;
  const authority = port === undefined ? host : `${host}:${port}`;
  return path.length === 0
    ? { kind: "host", name: authority }
    : { kind: "path", name: [authority, ...path].join("/") };
}

/**
 * Returns the place of a host that a DID names, or `undefined` for a DID without host.
 * @throws {InvalidDidError}
 */
export function getDidLocation(did: string | Did): DidLocation | undefined {
  const named = findNamed(did);
  return "location" in named ? named.location : undefined;
}

/**
 * Returns the name of the host that a DID names, or `undefined` for a DID without host.
 * @throws {InvalidDidError}
 */
export const getDidHost = (did: string | Did): string | undefined => getDidLocation(did)?.host;

/**
 * Returns the contract that a DID names, or `undefined` for a DID without contract.
 * @throws {InvalidDidError}
 */
export function getDidContract(did: string | Did): DidContract | undefined {
  const named = findNamed(did);
  return "contract" in named ? named.contract : undefined;
}
