import { type Address, getAddress, isAddressEqual } from "viem";
import * as z from "zod";
import { printable } from "./printable.ts";
import {
  addressOfPublicKeyBase58,
  addressOfPublicKeyHex,
  addressOfPublicKeyJwk,
  addressOfPublicKeyMultibase,
  PublicKeyError,
} from "./publicKeyAddress.ts";

/** A verification method of a DID document (W3C DID Core), with every form in which it may name a wallet. */
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

/** Longer than every form of a key or account; decoding base58 takes the square of the length. */
const MAX_VALUE_LENGTH = 200;

const keyProperties = [
  "blockchainAccountId",
  "publicKeyHex",
  "publicKeyMultibase",
  "publicKeyJwk",
  "publicKeyBase58",
  "ethereumAddress",
] as const;

/** A property of a verification method that names a wallet. */
export type KeyProperty = (typeof keyProperties)[number];

/**
 * The account that a property names. `chain` is the CAIP-2 chain that an account id is of, and absent for a key, which
 * is the same account on every chain; `null` when an account is named and its chain is not.
 */
export type NamedAccount = { property: KeyProperty; address: Address; chain?: string | null };

/** What one method says of a wallet: every property that names it, or why none does. */
export type MethodVerdict = { accounts: NamedAccount[] } | { accounts?: undefined; reason: string };

/** Reads what a verification method of `did` says of a wallet. */
export function readMethod(method: VerificationMethod, did: string, wallet: Address): MethodVerdict {
  const accounts: NamedAccount[] = [];
  const reasons: string[] = [];
  for (const property of keyProperties) {
    if (method[property] === undefined) continue;
    try {
      const named = namedAccount(method, property);
      if (isAddressEqual(named.address, wallet)) accounts.push(named);
      else reasons.push(`${property} names ${named.address}`);
    } catch (error) {
      if (!(error instanceof PublicKeyError)) throw error;
      reasons.push(error.message);
    }
  }
  if (accounts.length === 0) return { reason: reasons.join("; ") || "names no wallet and no public key" };
  if (!isController(method.controller, did, wallet)) {
    return { reason: "its controller is neither this DID nor the wallet that it names" };
  }
  return { accounts };
}

/**
 * DID Core: a method whose controller is another DID is that DID's statement. Absent is taken for this DID; the
 * wallet's own did:pkh says no more than the method itself.
 */
function isController(controller: unknown, did: string, wallet: Address): boolean {
  if (controller === undefined || controller === did) return true;
  if (typeof controller !== "string") return false;
  const account = /^did:pkh:eip155:[1-9][0-9]{0,31}:(0x[0-9a-fA-F]{40})$/.exec(controller)?.[1];
  return account !== undefined && isAddressEqual(account as Address, wallet);
}

function namedAccount(method: VerificationMethod, property: KeyProperty): NamedAccount {
  const value = method[property];
  const text = typeof value === "string" ? value : "";
  if (text.length > MAX_VALUE_LENGTH)
    throw new PublicKeyError(`${property} is longer than any key or account`);
  if (property === "blockchainAccountId") return { property, ...readAccountId(text) };
  if (property === "ethereumAddress") return { property, address: readAddress(text), chain: null };
  // Bytes of a key of another curve can be a point of secp256k1 by chance, so the declared type counts.
  if (
    /ed25519|ed448|x25519|x448|p-?256(?!k)|p-?384|p-?521|secp256r1|brainpool|bls12|rsa/i.test(
      method.type ?? "",
    )
  ) {
    throw new PublicKeyError(`${printable(method.type ?? "")} is a key of another curve than secp256k1`);
  }
  switch (property) {
    case "publicKeyJwk":
      return { property, address: addressOfPublicKeyJwk(value) };
    case "publicKeyHex":
      return { property, address: addressOfPublicKeyHex(text) };
    case "publicKeyBase58":
      return { property, address: addressOfPublicKeyBase58(text) };
    case "publicKeyMultibase":
      return { property, address: addressOfPublicKeyMultibase(text) };
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
