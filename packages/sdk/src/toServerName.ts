import type { Hex } from "viem";
import { type CanonicalDid, type Did, hashCanonicalDid, isCanonicalDid } from "./did.ts";

/** Longest name in the MCP registry's server.json, in characters. */
const MAX_NAME = 200;

/** Name of a DID without a path. An escape has two digits, so no path has this form. */
const NO_PATH = "_";

/** Namespace prefix of a did:pkh. */
const PKH_NAMESPACE = "PKH.";

/** Namespace of DIDs whose own name would be too long. */
const HASH_NAMESPACE = "HASH.keccak256";

/**
 * Returns the name of a canonical DID for MCP registries, `<namespace>/<name>`: the host reversed, and the path with dots between
 * its segments. A port is `_p<port>`. Capitals and every other character that a name cannot contain are `_` and the two
 * hexadecimal digits of their byte, so that each name belongs to one DID only, also where case does not count.
 *
 * - `did:web:mcp.example.com` is `com.example.mcp/_`, `did:web:example.com:tools:weather` is
 *   `com.example/tools.weather`
 * - `did:web:localhost%3A3000:a_b` is `localhost/_p3000.a_5Fb`
 * - `did:pkh:eip155:1:0xab…` is `PKH.eip155.1/0xab…`
 * - A DID whose name would be longer than 200 characters is `HASH.keccak256/<didHash>`
 *
 * @example
 * toServerName("did:web:example.com:tools:weather"); // "com.example/tools.weather"
 */
export function toServerName(did: string): string {
  const name = names[did.split(":")[1] as Did["method"]].toName(did);
  return name.length > MAX_NAME ? `${HASH_NAMESPACE}/${hashCanonicalDid(did as CanonicalDid)}` : name;
}

const escapeSegment = (segment: string): string =>
  segment.replaceAll(
    /[^a-z0-9-]/g,
    (character) => `_${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );

/** Conversions of each method. A host has no capitals, so no name of a host begins with another namespace. */
const names: Record<
  Did["method"],
  { toName(did: string): string; toDid(namespace: string, rest: string): string }
> = {
  web: {
    toName(did) {
      const [authority = "", ...path] = did.slice("did:web:".length).split(":");
      const [host = "", port] = authority.split("%3A");
      const parts = [...(port === undefined ? [] : [`_p${port}`]), ...path.map(escapeSegment)];
      return `${host.split(".").toReversed().join(".")}/${parts.join(".") || NO_PATH}`;
    },
    toDid(namespace, rest) {
      const parts = rest === NO_PATH ? [] : rest.split(".");
      const port = /^_p(\d+)$/.exec(parts[0] ?? "")?.[1];
      const path = (port === undefined ? parts : parts.slice(1)).map((part) =>
        part.replaceAll(/_([0-9A-F]{2})/g, (_, byte: string) =>
          String.fromCharCode(Number.parseInt(byte, 16)),
        ),
      );
      const authority = namespace.split(".").toReversed().join(".");
      return ["did:web", port === undefined ? authority : `${authority}%3A${port}`, ...path].join(":");
    },
  },
  pkh: {
    toName(did) {
      const [, , namespace, reference, address] = did.split(":");
      return `${PKH_NAMESPACE}${namespace}.${reference}/${address}`;
    },
    toDid: (namespace, address) =>
      `did:pkh:${namespace.slice(PKH_NAMESPACE.length).replace(".", ":")}:${address}`,
  },
};

/** Returns the didHash in the name of a DID that is too long, or `undefined` for other names. */
export function parseHashedServerName(name: string): Hex | undefined {
  const [namespace, hash = ""] = name.split("/");
  return namespace === HASH_NAMESPACE && /^0x[0-9a-f]{64}$/.test(hash) ? (hash as Hex) : undefined;
}

/**
 * Returns the canonical DID of a name in MCP registries, or `undefined` if no DID has this name or the name is a hash.
 *
 * @example
 * parseServerName("com.example.mcp/_"); // "did:web:mcp.example.com"
 */
export function parseServerName(name: string): CanonicalDid | undefined {
  const [namespace = "", rest = "", ...more] = name.split("/");
  if (more.length > 0) return undefined;
  for (const { toDid } of Object.values(names)) {
    const did = toDid(namespace, rest);
    // Reject other spellings, because each DID has exactly one name.
    if (isCanonicalDid(did) && toServerName(did) === name) return did;
  }
  return undefined;
}
