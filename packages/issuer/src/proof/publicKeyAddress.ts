import { secp256k1 } from "@noble/curves/secp256k1.js";
import { base16 } from "multiformats/bases/base16";
import { base58btc } from "multiformats/bases/base58";
import { base64url } from "multiformats/bases/base64";
import { type Address, isHex } from "viem";
import { publicKeyToAddress } from "viem/utils";
import * as z from "zod";

/** Multicodec prefix `secp256k1-pub` (0xe7) as an unsigned varint. */
const secp256k1Multicodec = [0xe7, 0x01];
const multibase = base58btc.decoder.or(base64url.decoder).or(base16.decoder);

/** Error for a public key that has no wallet address. The message is for the author of the document. */
export class PublicKeyError extends Error {
  override readonly name = "PublicKeyError";
}

/**
 * Returns the address of a secp256k1 key in hexadecimal, with or without 0x: compressed (33 bytes), uncompressed
 * (65 bytes), or the bare coordinates (64 bytes).
 * @throws {PublicKeyError} for an invalid key.
 */
export function publicKeyHexToAddress(text: string): Address {
  const hex = text.startsWith("0x") || text.startsWith("0X") ? text.slice(2) : text;
  if (!isHex(`0x${hex}`) || hex.length % 2 !== 0) throw new PublicKeyError("publicKeyHex is not hexadecimal");
  return curvePointToAddress(base16.decode(`f${hex.toLowerCase()}`));
}

/**
 * Returns the address of a secp256k1 Multikey: multibase (base58btc, base64url or base16) with the multicodec prefix
 * secp256k1-pub, which means the compressed form (33 bytes).
 * @throws {PublicKeyError} for an invalid key.
 */
export function publicKeyMultibaseToAddress(text: string): Address {
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
export function publicKeyBase58ToAddress(text: string): Address {
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
export function publicKeyJwkToAddress(value: unknown): Address {
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
