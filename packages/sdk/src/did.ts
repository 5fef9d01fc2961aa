import type { Address, Hex } from "viem";
import { getAddress, keccak256, stringToBytes } from "viem/utils";
import { AppRegistryError, withoutKey } from "./errors/appRegistryError.ts";
import { isLocalhostName } from "./local.ts";

/** Longest canonical DID, in bytes. A canonical DID is ASCII, so this is also its length in characters. */
export const MAX_DID_LENGTH = 255;

/** Highest chain id of a `did:pkh`: the highest integer that JSON and JavaScript represent exactly. */
export const MAX_CHAIN_ID = Number.MAX_SAFE_INTEGER;

declare const canonical: unique symbol;

/**
 * DID in its canonical form, which is exactly the text that the registry contract accepts. Created by `parseDid` and
 * `normalizeDid`, and checked by `isCanonicalDid`; other functions do not parse it again.
 */
export type CanonicalDid = string & { readonly [canonical]: true };

/** DID of the method `web`, which names a host by its DNS name. */
export interface DidWeb {
  did: CanonicalDid;
  method: "web";
  /** Host name in lower-case ASCII. International names are in punycode. */
  host: string;
  /** Port, 1 to 65535, never 443; absent for the default port. */
  port?: number;
  /** Path segments in canonical percent-encoding. */
  path: string[];
}

/** DID of the method `pkh`, which names a contract account of an eip155 chain. */
export interface DidPkh {
  did: CanonicalDid;
  method: "pkh";
  /** Chain id, 1 to 2^53 - 1. */
  chainId: number;
  /** Account address in lower case. */
  address: Address;
}

export type Did = DidWeb | DidPkh;

export type InvalidDidCode =
  | "not-a-did"
  | "unsupported-method"
  | "too-long"
  | "forbidden-character"
  | "invalid-host"
  | "ip-address"
  | "invalid-port"
  | "invalid-path"
  | "invalid-chain"
  | "invalid-address"
  | "not-canonical"
  | "no-document";

/** Thrown when the text is not a DID that the registry accepts. `reason` explains how to fix it. */
export class InvalidDidError extends AppRegistryError {
  override readonly name = "InvalidDidError";
  /** Stable name of the broken rule. */
  readonly code: InvalidDidCode;
  /** One or two sentences for the person who typed the DID. */
  readonly reason: string;
  readonly input: string;

  constructor(input: string, code: InvalidDidCode, reason: string) {
    super(`Invalid DID: ${reason}`, { docsPath: "/identifiers#dids" });
    this.input = withoutKey(input);
    this.code = code;
    this.reason = reason;
  }
}

/** Longest text that is parsed, in UTF-16 code units. */
const MAX_INPUT_LENGTH = 2048;

/**
 * Reads a DID as a person types it. Returns its canonical form and parts.
 *
 * Normalizes surrounding white space, capitals in scheme, method and host, international host names (to punycode), one
 * trailing dot of the host, port 443, the case of percent triplets, and the case of a `did:pkh` address. An address
 * with a wrong EIP-55 checksum is rejected as a typing error.
 *
 * Follows the did:web and did:pkh method specifications, DID Core and CAIP-10.
 *
 * @throws {InvalidDidError} with the reason, for any other text.
 * @example
 * parseDid("did:web:Example.com%3a8443:Team").did; // "did:web:example.com%3A8443:Team"
 */
export function parseDid(input: string): Did {
  if (typeof input !== "string") throw new InvalidDidError("", "not-a-did", notADidReason(""));
  const text = input.trim();
  if (text.length > MAX_INPUT_LENGTH) throw createTooLongError(input);
  const match = /^did:([a-z0-9]+):(.*)$/is.exec(text);
  if (!match) throw new InvalidDidError(input, "not-a-did", notADidReason(text));
  const method = (match[1] as string).toLowerCase();
  const identifier = match[2] as string;
  // Check for parts of a DID URL first, so that a person who pastes one learns which part to remove.
  refuseUrlParts(input, identifier);
  if (!isMethod(method)) {
    throw new InvalidDidError(
      input,
      "unsupported-method",
      `The method "${method}" is not supported. Use did:web (a domain) or did:pkh (a contract).`,
    );
  }
  const did = parsers[method](input, identifier);
  if (did.did.length > MAX_DID_LENGTH) throw createTooLongError(input);
  return did;
}

const parsers: Record<Did["method"], (input: string, identifier: string) => Did> = {
  web: parseWeb,
  pkh: parsePkh,
};

const isMethod = (method: string): method is Did["method"] => Object.hasOwn(parsers, method);

/**
 * Returns the canonical form of a DID as a person types it.
 *
 * @throws {InvalidDidError}
 * @example
 * normalizeDid("did:web:Example.com"); // "did:web:example.com"
 */
export function normalizeDid(input: string): CanonicalDid {
  return parseDid(input).did;
}

/**
 * Returns true if the text is a canonical DID, which the registry contract accepts.
 *
 * @example
 * isCanonicalDid("did:web:Example.com"); // false
 */
export function isCanonicalDid(text: string): text is CanonicalDid {
  try {
    return parseDid(text).did === text;
  } catch (error) {
    if (error instanceof InvalidDidError) return false;
    throw error;
  }
}

/**
 * Returns true for a DID itself and for the DIDs of paths below it. Another port is another host, and a contract has
 * nothing below it. Both DIDs must be canonical.
 *
 * @example
 * isUnderDid("did:web:example.com:team", "did:web:example.com"); // true
 * isUnderDid("did:web:example.com.attacker.net", "did:web:example.com"); // false
 */
export const isUnderDid = (did: string, under: string): boolean =>
  did === under || did.startsWith(`${under}:`);

/**
 * Returns keccak256 of the UTF-8 bytes of a canonical DID: the key of the DID in the registry and the resolver.
 *
 * @throws {InvalidDidError} when the DID is not canonical, because no record has its hash.
 * @example
 * didHash("did:web:example.com");
 * // "0x505b0e657e7acabd2c14e517173a347faed486bb69081ef673c6e52c03f57f3e"
 */
export function didHash(canonicalDid: string): Hex {
  const { did } = parseDid(canonicalDid);
  if (did !== canonicalDid) {
    throw new InvalidDidError(canonicalDid, "not-canonical", `This DID is not in canonical form. Use ${did}`);
  }
  return hashCanonicalDid(did);
}

/** Returns the {@link didHash} of a canonical DID without parsing it again. */
export const hashCanonicalDid = (did: CanonicalDid): Hex => keccak256(stringToBytes(did));

/**
 * Returns the URL of a did:web's DID document, according to the did:web method specification.
 *
 * The scheme is always https. With `allowLoopback`, it is http for the host `localhost` and the names below it.
 *
 * @throws {InvalidDidError} for a did:pkh, which has no document, and for any text that is not a DID.
 * @example
 * didDocumentUrl("did:web:example.com%3A8443:team"); // "https://example.com:8443/team/did.json"
 */
export function didDocumentUrl(did: string | Did, options: { allowLoopback?: boolean } = {}): string {
  const parsed = typeof did === "string" ? parseDid(did) : did;
  if (parsed.method !== "web") {
    throw new InvalidDidError(
      parsed.did,
      "no-document",
      "A did:pkh has no DID document. Control is read from its chain.",
    );
  }
  const scheme = options.allowLoopback === true && isLocalhostName(parsed.host) ? "http" : "https";
  const port = parsed.port === undefined ? "" : `:${parsed.port}`;
  const path = parsed.path.length === 0 ? ".well-known" : parsed.path.join("/");
  return `${scheme}://${parsed.host}${port}/${path}/did.json`;
}

function createTooLongError(input: string): InvalidDidError {
  return new InvalidDidError(input, "too-long", `A DID can have at most ${MAX_DID_LENGTH} characters.`);
}

function notADidReason(text: string): string {
  if (text === "") return "Enter a DID, for example did:web:example.com.";
  // Name no DID: that of the URL's host, or of its path, may belong to another service than the URL.
  if (/^https?:\/\//i.test(text)) return "This is a URL, not a DID. Look up the service at this address.";
  return "A DID starts with did:web: or did:pkh:, for example did:web:example.com.";
}

function refuseUrlParts(input: string, identifier: string): void {
  const forbidden = (reason: string) => new InvalidDidError(input, "forbidden-character", reason);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\s\u0000-\u001f\u007f]/.test(identifier)) {
    throw forbidden("A DID can't contain spaces, line breaks or control characters.");
  }
  if (/\p{Surrogate}/u.test(identifier)) throw forbidden("The text is not valid Unicode.");
  if (identifier.includes("?"))
    throw forbidden(`A DID can't have a query. Remove "?" and everything after it.`);
  if (identifier.includes("#"))
    throw forbidden(`A DID can't have a fragment. Remove "#" and everything after it.`);
  if (identifier.includes("/")) {
    throw forbidden(`A DID can't contain "/". Use ":" for a path, for example did:web:example.com:team.`);
  }
  if (identifier.includes("\\")) throw forbidden(`A DID can't contain "\\".`);
}

function parseWeb(input: string, identifier: string): DidWeb {
  const [authority = "", ...segments] = identifier.split(":");
  const { host, port } = parseAuthority(input, authority);
  const path = segments.map((segment) => normalizeSegment(input, segment));
  if (path[0] === ".well-known") {
    throw new InvalidDidError(
      input,
      "invalid-path",
      `The first path part can't be ".well-known", because it would share the DID document of the bare domain.`,
    );
  }
  const portText = port === undefined ? "" : `%3A${port}`;
  const did = ["did:web", `${host}${portText}`, ...path].join(":");
  return { did: did as CanonicalDid, method: "web", host, ...(port === undefined ? {} : { port }), path };
}

function parseAuthority(input: string, authority: string): { host: string; port?: number } {
  if (authority.includes("@") || /%40/i.test(authority)) {
    throw new InvalidDidError(
      input,
      "forbidden-character",
      `A DID can't contain a user name. Remove "@" and everything before it.`,
    );
  }
  const [rawHost = "", rawPort, ...rest] = authority.split(/%3a/i);
  const host = normalizeHost(input, rawHost);
  if (rawPort === undefined) return { host };
  if (rest.length > 0 || !/^[1-9][0-9]{0,4}$/.test(rawPort) || Number(rawPort) > 65535) {
    throw new InvalidDidError(
      input,
      "invalid-port",
      "The port after %3A must be a number from 1 to 65535 without leading zeros, for example example.com%3A8443.",
    );
  }
  const port = Number(rawPort);
  return port === 443 ? { host } : { host, port };
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function normalizeHost(input: string, rawHost: string): string {
  const invalid = (reason: string) => new InvalidDidError(input, "invalid-host", reason);
  if (rawHost === "") throw invalid("The domain is missing. Use the form did:web:example.com.");
  if (rawHost.includes("[")) throw createIpAddressError(input);
  if (rawHost.includes("%")) throw invalid(`The domain can't contain "%", except in %3A before a port.`);
  const host = toAsciiHost(rawHost)?.replace(/\.$/, "");
  if (host === undefined)
    throw invalid("The domain contains characters that aren't allowed in domain names.");
  const labels = host.split(".");
  if (!labels.every((label) => LABEL.test(label))) {
    throw invalid(
      "Each part of the domain must have 1 to 63 letters, digits or hyphens, and can't start or end with a hyphen.",
    );
  }
  // The URL standard parses a host whose last label is a number as an IPv4 address.
  if (/^(?:[0-9]+|0x[0-9a-f]*)$/.test(labels.at(-1) as string)) throw createIpAddressError(input);
  return host;
}

function createIpAddressError(input: string): InvalidDidError {
  return new InvalidDidError(input, "ip-address", "A did:web must use a domain name, not an IP address.");
}

/** Returns the lower-case ASCII form of a host name, or `undefined` if IDNA (UTS #46) has none. */
function toAsciiHost(host: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII
  if (/^[\u0000-\u007f]*$/.test(host)) return host.toLowerCase();
  // The URL parser would end the host at one of these characters, or decode it.
  if (/[^A-Za-z0-9.\-\u0080-\u{10ffff}]/u.test(host)) return undefined;
  try {
    return new URL(`https://${host}/`).hostname;
  } catch {
    return undefined;
  }
}

function normalizeSegment(input: string, segment: string): string {
  const invalid = (reason: string) => new InvalidDidError(input, "invalid-path", reason);
  let result = "";
  for (const token of segment.match(/%.{0,2}|[^%]/gsu) ?? []) {
    if (token.startsWith("%")) {
      if (!/^%[0-9a-f]{2}$/i.test(token)) throw invalid('"%" must be followed by two hexadecimal digits.');
      if (/^%(?:2f|5c)$/i.test(token))
        throw invalid(`A path part can't contain "/" or "\\", even encoded as %2F or %5C.`);
      if (/^%(?:[01].|7f)$/i.test(token))
        throw invalid(`A path part can't contain control characters such as ${token.toUpperCase()}.`);
      const character = String.fromCharCode(Number.parseInt(token.slice(1), 16));
      result += /[A-Za-z0-9._-]/.test(character) ? character : token.toUpperCase();
    } else if (/[A-Za-z0-9._-]/.test(token)) {
      result += token;
    } else if (token > "\u007f") {
      result += encodeURIComponent(token);
    } else {
      const triplet = `%${token.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
      throw invalid(`A path part can't contain "${token}". Encode it as ${triplet}.`);
    }
  }
  if (result === "") throw invalid('A path part is empty. Remove the extra ":".');
  if (result === "." || result === "..") throw invalid(`A path part can't be "." or "..".`);
  return result;
}

function parsePkh(input: string, identifier: string): DidPkh {
  const [namespace = "", reference = "", account = "", ...rest] = identifier.split(":");
  if (namespace.toLowerCase() !== "eip155") {
    throw new InvalidDidError(
      input,
      "invalid-chain",
      "Only EVM chains are supported: did:pkh:eip155:<chain id>:<contract address>.",
    );
  }
  const chainId = Number(reference);
  if (!/^[1-9][0-9]{0,15}$/.test(reference) || chainId > MAX_CHAIN_ID) {
    throw new InvalidDidError(
      input,
      "invalid-chain",
      `The chain id must be a number from 1 to ${MAX_CHAIN_ID} without leading zeros, for example did:pkh:eip155:1:0x….`,
    );
  }
  if (rest.length > 0 || !/^0x[0-9a-f]{40}$/i.test(account)) {
    throw new InvalidDidError(
      input,
      "invalid-address",
      "The DID must end with the contract's address: 0x followed by 40 hexadecimal digits.",
    );
  }
  const address = account.toLowerCase() as Address;
  const digits = account.slice(2);
  const isMixedCase = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (isMixedCase && getAddress(address).slice(2) !== digits) {
    throw new InvalidDidError(
      input,
      "invalid-address",
      "The address fails its checksum (EIP-55). Check for a mistyped character.",
    );
  }
  const did = `did:pkh:eip155:${chainId}:${address}` as CanonicalDid;
  return { did, method: "pkh", chainId, address };
}
