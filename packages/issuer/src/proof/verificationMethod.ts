import { printable } from "@app-registry/outbound/internal";
import { isJsonObject } from "@app-registry/sdk";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { base16 } from "multiformats/bases/base16";
import { base58btc } from "multiformats/bases/base58";
import { base64url } from "multiformats/bases/base64";
import { type Address, getAddress, isAddressEqual, isHex } from "viem";
import { publicKeyToAddress } from "viem/utils";
import * as z from "zod";

type Method = { id: string; [term: string]: unknown };

/** Values that a method is checked against. */
export type MethodContext = {
  did: string;
  wallet: Address;
  /** Time of the check, in Unix milliseconds. */
  now: number;
};

/**
 * Returns the reason a verification method is unusable, or `undefined` if it is usable. Follows W3C Controlled
 * Identifiers 1.0, DID Core, RFC 7517 for `use` and `key_ops`, and OpenID Federation 1.0 for `exp`, `nbf` and `revoked`
 * of a JSON Web Key. A term that can't be interpreted disqualifies the method.
 */
function findMethodProblem(method: Method, context: MethodContext): string | undefined {
  const { did, wallet, now } = context;
  if (!isOwnId(method.id, did)) return "its id must be this DID plus a fragment (#…)";
  if (!isController(method.controller, did, wallet)) {
    return "its controller is neither this DID nor the listed wallet";
  }
  if (!isFalse(method.deactivated)) return "its deactivated property is set and is not false";
  return (
    findLeakedPrivateKey(method) ??
    findExpiryProblem("revoked", method.revoked, now) ??
    findExpiryProblem("expires", method.expires, now) ??
    findJwkProblem(method.publicKeyJwk, now)
  );
}

/** Returns the absolute DID URL of an `id` or a reference in the document of `did`. */
export function absoluteId(id: string, did: string): string {
  return id.startsWith("#") ? `${did}${id}` : id;
}

/** Returns true if a flag is absent or false. Any other value may mean true. */
export const isFalse = (flag: unknown): boolean => flag === undefined || flag === false;

/**
 * Returns true if an `id` is the DID with a fragment. With a path or a query it would be a method of another resource
 * (Controlled Identifiers, Retrieve Verification Method).
 */
function isOwnId(id: string, did: string): boolean {
  const [resource, fragment, ...more] = absoluteId(id, did).split("#");
  return resource === did && fragment !== undefined && fragment !== "" && more.length === 0;
}

/**
 * Returns true if a method's controller is this DID or the wallet's own did:pkh, or is absent. By DID Core, a method
 * with another controller is a statement of that DID.
 */
function isController(controller: unknown, did: string, wallet: Address): boolean {
  if (controller === undefined || controller === did) return true;
  if (typeof controller !== "string") return false;
  const account = /^did:pkh:eip155:[1-9][0-9]{0,31}:(0x[0-9a-fA-F]{40})$/.exec(controller)?.[1];
  return account !== undefined && isAddressEqual(account as Address, wallet);
}

/** Private members of JSON Web Keys in the IANA registry. */
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];

function findLeakedPrivateKey({ publicKeyJwk: jwk, ...method }: Method): string | undefined {
  const member = isJsonObject(jwk) ? privateMembers.find((name) => Object.hasOwn(jwk, name)) : undefined;
  const property = Object.keys(method).find((name) => /^(secret|private)Key/.test(name));
  const advice = "remove it from the web immediately and use a new key";
  if (member) return `publicKeyJwk contains a private key (${member}): ${advice}`;
  return property && `${printable(property, 60)} contains a private key: ${advice}`;
}

/**
 * Schema of a `dateTimeStamp` (XML Schema 1.1, part 2), the time format of Controlled Identifiers 1.0. It does not
 * accept the hour 24 or years without exactly four digits.
 */
const timeStamp = z
  .string()
  .regex(/T\d\d:\d\d:\d\d/)
  .max(64)
  .pipe(z.iso.datetime({ offset: true }))
  .transform((text) => Date.parse(text))
  .pipe(z.number());

/** Returns the reason a method is revoked or expired, or `undefined` if the time in the property has not come. */
function findExpiryProblem(property: "revoked" | "expires", value: unknown, now: number): string | undefined {
  if (value === undefined) return undefined;
  const time = timeStamp.safeParse(value);
  if (!time.success) {
    const state = property === "revoked" ? "revoked" : "expired";
    return `its ${property} is not a valid time such as 2026-01-31T00:00:00Z, so it is treated as ${state}`;
  }
  if (now < time.data) return undefined;
  return `${property === "revoked" ? "was revoked" : "expired"} at ${value}`;
}

const operations = z.array(z.string()).refine((names) => new Set(names).size === names.length);

function findJwkProblem(jwk: unknown, now: number): string | undefined {
  if (!isJsonObject(jwk)) return undefined;
  const { key_ops, use, exp, nbf, revoked } = jwk;
  if (key_ops !== undefined) {
    const { data: names = [] } = operations.safeParse(key_ops);
    const contradictsUse = use !== undefined && names.some((name) => name !== "verify" && name !== "sign");
    if (!names.includes("verify") || contradictsUse) {
      return "its publicKeyJwk is not for verifying signatures (key_ops)";
    }
  }
  if (revoked !== undefined) return "its publicKeyJwk is revoked";
  if (exp !== undefined) {
    if (typeof exp !== "number")
      return "exp in its publicKeyJwk is not a number of seconds, so it is treated as expired";
    if (now >= exp * 1_000) return `its publicKeyJwk expired at ${exp} (exp)`;
  }
  if (nbf !== undefined) {
    if (typeof nbf !== "number")
      return "nbf in its publicKeyJwk is not a number of seconds, so it is treated as not valid yet";
    if (now < nbf * 1_000) return `its publicKeyJwk is not valid before ${nbf} (nbf)`;
  }
  return undefined;
}

/** Multicodec prefix `secp256k1-pub` (0xe7) as an unsigned varint. */
const secp256k1Multicodec = [0xe7, 0x01];
const multibase = base58btc.decoder.or(base64url.decoder).or(base16.decoder);

/** Error for a public key that has no wallet address. The message is for the author of the document. */
class PublicKeyError extends Error {
  override readonly name = "PublicKeyError";
}

/**
 * Returns the address of a secp256k1 key in hexadecimal, with or without 0x: compressed (33 bytes), uncompressed
 * (65 bytes), or the bare coordinates (64 bytes).
 * @throws {PublicKeyError} for an invalid key.
 */
function publicKeyHexToAddress(text: string): Address {
  const hex = text.startsWith("0x") || text.startsWith("0X") ? text.slice(2) : text;
  if (!isHex(`0x${hex}`) || hex.length % 2 !== 0) throw new PublicKeyError("publicKeyHex is not hexadecimal");
  return curvePointToAddress(base16.decode(`f${hex.toLowerCase()}`));
}

/**
 * Returns the address of a secp256k1 Multikey: multibase (base58btc, base64url or base16) with the multicodec prefix
 * secp256k1-pub, which means the compressed form (33 bytes).
 * @throws {PublicKeyError} for an invalid key.
 */
function publicKeyMultibaseToAddress(text: string): Address {
  const bytes = decodeText("publicKeyMultibase", () => multibase.decode(text));
  if (!secp256k1Multicodec.every((byte, index) => bytes[index] === byte)) {
    throw new PublicKeyError("publicKeyMultibase is not a secp256k1 key");
  }
  const key = bytes.subarray(secp256k1Multicodec.length);
  if (key.length !== 33) {
    throw new PublicKeyError(
      `publicKeyMultibase must contain a compressed key of 33 bytes, but this one has ${key.length}`,
    );
  }
  return curvePointToAddress(key);
}

/**
 * Returns the address of a secp256k1 key in base58btc without a multibase prefix.
 * @throws {PublicKeyError} for an invalid key.
 */
function publicKeyBase58ToAddress(text: string): Address {
  return curvePointToAddress(decodeText("publicKeyBase58", () => base58btc.baseDecode(text)));
}

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const jwkSchema = z.object({
  kty: z.literal("EC"),
  crv: z.literal("secp256k1"),
  x: coordinate,
  y: coordinate,
  use: z.literal("sig").optional(),
  alg: z.enum(["ES256K", "ES256K-R"]).optional(),
});

/**
 * Returns the address of a JSON Web Key (RFC 8812: kty EC, crv secp256k1, both coordinates; if present, `use` is sig
 * and `alg` is ES256K or ES256K-R).
 * @throws {PublicKeyError} for an invalid key.
 */
function publicKeyJwkToAddress(value: unknown): Address {
  const jwk = jwkSchema.safeParse(value);
  if (!jwk.success) {
    throw new PublicKeyError("publicKeyJwk is not a signing key with kty EC, crv secp256k1, x and y");
  }
  const [x, y] = [jwk.data.x, jwk.data.y].map((text) =>
    decodeText("publicKeyJwk", () => base64url.decode(`u${text}`)),
  ) as [Uint8Array, Uint8Array];
  return curvePointToAddress(Uint8Array.from([...x, ...y]));
}

function decodeText(property: string, decode: () => Uint8Array): Uint8Array {
  try {
    return decode();
  } catch {
    throw new PublicKeyError(`${property} can't be decoded`);
  }
}

function curvePointToAddress(key: Uint8Array): Address {
  const bytes = key.length === 64 ? Uint8Array.from([4, ...key]) : key;
  if (bytes.length !== 33 && bytes.length !== 65) {
    throw new PublicKeyError(
      `a secp256k1 public key must have 33 or 65 bytes, but this one has ${key.length}`,
    );
  }
  try {
    return publicKeyToAddress(`0x${secp256k1.Point.fromBytes(bytes).toHex(false)}`);
  } catch {
    throw new PublicKeyError("the key is not a point on the secp256k1 curve");
  }
}

/** Schema of a verification method (W3C DID Core), with all properties that may contain a wallet. */
export const verificationMethodSchema = z.looseObject({
  id: z.string(),
  type: z.string().optional(),
  controller: z.unknown().optional(),
  blockchainAccountId: z.string().optional(),
  ethereumAddress: z.string().optional(),
  publicKeyHex: z.string().optional(),
  publicKeyMultibase: z.string().optional(),
  publicKeyBase58: z.string().optional(),
  publicKeyJwk: z.unknown().optional(),
});

export type VerificationMethod = z.infer<typeof verificationMethodSchema>;

/**
 * Maximum length of a value, in characters. It exceeds any key or account, and limits base58 decoding, which is
 * quadratic.
 */
const MAX_VALUE_LENGTH = 200;

const keyProperties = [
  "blockchainAccountId",
  "publicKeyHex",
  "publicKeyMultibase",
  "publicKeyJwk",
  "publicKeyBase58",
  "ethereumAddress",
] as const;

/** Property of a verification method that can contain a wallet. */
export type KeyProperty = (typeof keyProperties)[number];

/**
 * Account in a property. `chain` is the CAIP-2 chain of an account ID. It is absent for a key, which is the same
 * account on every chain, and `null` for an account without a chain.
 */
export type NamedAccount = { property: KeyProperty; address: Address; chain?: string | null };

/** Accounts in a method, and the reason the method does not prove control; `undefined` if it does. */
export type MethodVerdict = { accounts: NamedAccount[]; reason: string | undefined };

export function readMethod(method: VerificationMethod, context: MethodContext): MethodVerdict {
  const accounts: NamedAccount[] = [];
  const reasons: string[] = [];
  for (const property of keyProperties) {
    if (method[property] === undefined) continue;
    try {
      const named = namedAccount(method, property);
      if (isAddressEqual(named.address, context.wallet)) accounts.push(named);
      else reasons.push(`${property} is ${named.address}`);
    } catch (error) {
      if (!(error instanceof PublicKeyError)) throw error;
      reasons.push(error.message);
    }
  }
  const others = reasons.join("; ");
  if (accounts.length === 0) return { accounts, reason: others || "contains no wallet and no public key" };
  // Reject a second key: a method has one (Controlled Identifiers, Verification Material), and neither takes
  // precedence.
  if (others) return { accounts, reason: `lists the wallet together with something else: ${others}` };
  return { accounts, reason: findMethodProblem(method, context) };
}

function namedAccount(method: VerificationMethod, property: KeyProperty): NamedAccount {
  const value = method[property];
  const text = typeof value === "string" ? value : "";
  if (text.length > MAX_VALUE_LENGTH)
    throw new PublicKeyError(`${property} is longer than any key or account`);
  if (property === "blockchainAccountId") return { property, ...readAccountId(text) };
  if (property === "ethereumAddress") return { property, address: readAddress(text), chain: null };
  // Check the declared type, because a key of another curve can be a valid point of secp256k1 by chance.
  if (
    /ed25519|ed448|x25519|x448|p-?256(?!k)|p-?384|p-?521|secp256r1|brainpool|bls12|rsa/i.test(
      method.type ?? "",
    )
  ) {
    throw new PublicKeyError(`${printable(method.type ?? "")} is not a secp256k1 key`);
  }
  switch (property) {
    case "publicKeyJwk":
      return { property, address: publicKeyJwkToAddress(value) };
    case "publicKeyHex":
      return { property, address: publicKeyHexToAddress(text) };
    case "publicKeyBase58":
      return { property, address: publicKeyBase58ToAddress(text) };
    case "publicKeyMultibase":
      return { property, address: publicKeyMultibaseToAddress(text) };
  }
}

/** Reads `eip155:<chain id>:<address>` (CAIP-10) and the older `<address>@eip155:<chain id>`. */
function readAccountId(text: string): { address: Address; chain: string } {
  const current = /^(eip155:[1-9][0-9]{0,31}):(0x[0-9a-fA-F]{40})$/.exec(text);
  const older = /^(0x[0-9a-fA-F]{40})@(eip155:[1-9][0-9]{0,31})$/.exec(text);
  const [chain, account] = current ? [current[1], current[2]] : [older?.[2], older?.[1]];
  if (chain === undefined || account === undefined) {
    throw new PublicKeyError(
      `blockchainAccountId "${printable(text)}" is not of the form eip155:<chain id>:<address>`,
    );
  }
  return { chain, address: readAddress(account) };
}

function readAddress(text: string): Address {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) {
    throw new PublicKeyError("ethereumAddress is not 0x and 40 hexadecimal digits");
  }
  return getAddress(text.toLowerCase());
}
