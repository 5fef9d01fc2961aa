import { printable } from "@app-registry/outbound/internal";
import { type Address, getAddress, isAddressEqual } from "viem";
import * as z from "zod";
import { findMethodProblem, type MethodContext } from "./methodProblem.ts";
import {
  PublicKeyError,
  publicKeyBase58ToAddress,
  publicKeyHexToAddress,
  publicKeyJwkToAddress,
  publicKeyMultibaseToAddress,
} from "./publicKeyAddress.ts";

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

/** Reads the wallets of a verification method. */
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
