import type { Hex } from "viem";
import { keccak256, sha256, stringToBytes } from "viem/utils";
import { canonicalizeJson } from "./json.ts";

/** Values of `dataHashAlgorithm` in the registry. */
export const HashAlgorithm = { keccak256: 0, sha256: 1 } as const;

export type HashAlgorithmName = keyof typeof HashAlgorithm;
export type HashAlgorithm = (typeof HashAlgorithm)[HashAlgorithmName];

/**
 * Returns true if a number is a hash algorithm of the registry.
 *
 * @example
 * isHashAlgorithm(2); // false
 */
export function isHashAlgorithm(value: number): value is HashAlgorithm {
  return value === HashAlgorithm.keccak256 || value === HashAlgorithm.sha256;
}

/**
 * Returns the name of an algorithm: `keccak256` or `sha256`.
 *
 * @example
 * hashAlgorithmName(1); // "sha256"
 */
export function hashAlgorithmName(algorithm: HashAlgorithm): HashAlgorithmName {
  return algorithm === HashAlgorithm.keccak256 ? "keccak256" : "sha256";
}

/**
 * Hashes the UTF-8 bytes of a text that is already canonical, for example by `canonicalizeJson`.
 *
 * @throws {RangeError} for an algorithm other than 0 and 1, and for a text that has no UTF-8 form (lone surrogates).
 * @example
 * dataHash('{"a":1}', HashAlgorithm.sha256);
 * // "0x015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"
 */
export function dataHash(canonicalText: string, algorithm: HashAlgorithm): Hex {
  if (!isHashAlgorithm(algorithm)) throw new RangeError(`Unknown dataHashAlgorithm ${String(algorithm)}.`);
  // Reject lone surrogates, because the encoder would silently replace them by U+FFFD.
  if (/\p{Surrogate}/u.test(canonicalText)) throw new RangeError("The text contains a lone surrogate.");
  const bytes = stringToBytes(canonicalText);
  return algorithm === HashAlgorithm.keccak256 ? keccak256(bytes) : sha256(bytes);
}

/**
 * Canonicalizes a JSON document (RFC 8785) and hashes the result.
 *
 * @throws {JsonDocumentError} with the place, for a document that cannot be canonicalized without changing its meaning.
 * @example
 * hashDocument('{ "b": 1.0, "a": [] }', HashAlgorithm.keccak256).canonical; // '{"a":[],"b":1}'
 */
export function hashDocument(text: string, algorithm: HashAlgorithm): { canonical: string; dataHash: Hex } {
  const canonical = canonicalizeJson(text);
  return { canonical, dataHash: dataHash(canonical, algorithm) };
}

/**
 * Canonicalizes a JSON document (RFC 8785), hashes it and compares the hash with the recorded one.
 *
 * @throws {JsonDocumentError} with the place, for a document that cannot be canonicalized without changing its meaning.
 * @example
 * const record = await client.getAppSummary({ did, major: 1 });
 * compareDocument(metadataJson, record).matches; // true
 */
export function compareDocument(
  text: string,
  recorded: { dataHash: Hex; dataHashAlgorithm: HashAlgorithm },
): { canonical: string; dataHash: Hex; matches: boolean } {
  const document = hashDocument(text, recorded.dataHashAlgorithm);
  return { ...document, matches: document.dataHash === recorded.dataHash.toLowerCase() };
}
