import type { Address } from "viem";
import { getAddress } from "viem/utils";
import { type Did, parseDid } from "./did.ts";
import type { ProvenSubject } from "./origin.ts";

/** Contract that a DID names, with its address in lower case. */
export type DidContract = { chainId: number; address: Address };

/** Rules of one method: subject, host and contract of its DIDs. */
type DidMethod<Parsed extends Did> = {
  getSubject(did: Parsed): ProvenSubject;
  getHost(did: Parsed): string | undefined;
  getContract(did: Parsed): DidContract | undefined;
};

/** The methods. What a part of the registry must know of a DID's method is a column of this table. */
const methods: { [Method in Did["method"]]: DidMethod<Extract<Did, { method: Method }>> } = {
  web: {
    getSubject({ host, port, path }) {
      const authority = port === undefined ? host : `${host}:${port}`;
      return path.length === 0
        ? { kind: "host", name: authority }
        : { kind: "path", name: [authority, ...path].join("/") };
    },
    getHost: ({ host }) => host,
    getContract: () => undefined,
  },
  pkh: {
    getSubject: ({ chainId, address }) => ({
      kind: "contract",
      name: `eip155:${chainId}:${getAddress(address)}`,
    }),
    getHost: () => undefined,
    getContract: ({ chainId, address }) => ({ chainId, address }),
  },
};

function find(did: string | Did): { method: DidMethod<Did>; parsed: Did } {
  const parsed = typeof did === "string" ? parseDid(did) : did;
  return { method: methods[parsed.method] as DidMethod<Did>, parsed };
}

/**
 * Returns what a DID proves: a host, a path or a contract.
 * @throws {InvalidDidError}
 */
export function getDidSubject(did: string | Did): ProvenSubject {
  const { method, parsed } = find(did);
  return method.getSubject(parsed);
}

/**
 * Returns the name of the host that a DID names, or `undefined` for a DID without host.
 * @throws {InvalidDidError}
 */
export function getDidHost(did: string | Did): string | undefined {
  const { method, parsed } = find(did);
  return method.getHost(parsed);
}

/**
 * Returns the contract that a DID names, or `undefined` for a DID without contract.
 * @throws {InvalidDidError}
 */
export function getDidContract(did: string | Did): DidContract | undefined {
  const { method, parsed } = find(did);
  return method.getContract(parsed);
}
