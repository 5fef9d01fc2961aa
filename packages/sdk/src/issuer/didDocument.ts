import { type Address, getAddress, isAddress, isAddressEqual } from "viem";
import * as z from "zod";
import {
  addressOfPublicKeyBase58,
  addressOfPublicKeyHex,
  addressOfPublicKeyJwk,
  addressOfPublicKeyMultibase,
  PublicKeyError,
} from "./publicKeyAddress.ts";

const verificationMethodSchema = z.looseObject({
  id: z.string(),
  type: z.string().optional(),
  blockchainAccountId: z.string().optional(),
  publicKeyHex: z.string().optional(),
  publicKeyMultibase: z.string().optional(),
  publicKeyBase58: z.string().optional(),
  publicKeyJwk: z.unknown().optional(),
});

const relationshipSchema = z.array(z.union([z.string(), verificationMethodSchema])).max(200);

/** The parts of a DID document (W3C DID Core) that decide who controls the DID; other parts are kept. */
export const didDocumentSchema = z.looseObject({
  id: z.string(),
  verificationMethod: z.array(verificationMethodSchema).max(200).optional(),
  authentication: relationshipSchema.optional(),
  assertionMethod: relationshipSchema.optional(),
});

export type DidDocument = z.infer<typeof didDocumentSchema>;
type VerificationMethod = z.infer<typeof verificationMethodSchema>;

const keyProperties = [
  "blockchainAccountId",
  "publicKeyHex",
  "publicKeyMultibase",
  "publicKeyJwk",
  "publicKeyBase58",
] as const;

export type KeyProperty = (typeof keyProperties)[number];

/** Where a document names a wallet, or what each of its verification methods names instead. */
export type WalletInDocument =
  | { found: true; methodId: string; property: KeyProperty }
  | { found: false; methods: { methodId: string; reason: string }[] };

/**
 * Looks for a wallet among the verification methods of a DID document. When the document has `authentication` or
 * `assertionMethod`, only methods that one of them references (or embeds) are taken, as DID Core says that a method
 * listed nowhere proves nothing.
 */
export function findWallet(document: DidDocument, wallet: Address): WalletInDocument {
  const methods: { methodId: string; reason: string }[] = [];
  const usable = usableMethods(document);
  const listed = [...(document.verificationMethod ?? [])];
  for (const method of new Set([...usable, ...listed])) {
    const methodId = method.id;
    if (!usable.has(method)) {
      methods.push({ methodId, reason: "is not referenced by authentication or assertionMethod" });
      continue;
    }
    const verdict = judgeMethod(method, wallet);
    if (typeof verdict === "object") return { found: true, methodId, property: verdict.property };
    methods.push({ methodId, reason: verdict });
  }
  return { found: false, methods };
}

function usableMethods(document: DidDocument): Set<VerificationMethod> {
  const listed = document.verificationMethod ?? [];
  if (!document.authentication && !document.assertionMethod) return new Set(listed);
  const usable = new Set<VerificationMethod>();
  for (const entry of [...(document.authentication ?? []), ...(document.assertionMethod ?? [])]) {
    if (typeof entry !== "string") {
      usable.add(entry);
      continue;
    }
    const absolute = absoluteId(entry, document.id);
    for (const method of listed) if (absoluteId(method.id, document.id) === absolute) usable.add(method);
  }
  return usable;
}

function absoluteId(id: string, did: string): string {
  return id.startsWith("#") ? `${did}${id}` : id;
}

/** The property that names the wallet, or why none does. */
function judgeMethod(method: VerificationMethod, wallet: Address): { property: KeyProperty } | string {
  const reasons: string[] = [];
  for (const property of keyProperties) {
    if (method[property] === undefined) continue;
    const named = namedAddress(method, property);
    if (named.address && isAddressEqual(named.address, wallet)) return { property };
    reasons.push(named.address ? `${property} names ${named.address}` : named.reason);
  }
  return reasons.join("; ") || "names no wallet and no public key";
}

type NamedAddress = { address: Address } | { address?: undefined; reason: string };

function namedAddress(method: VerificationMethod, property: KeyProperty): NamedAddress {
  const value = method[property];
  if (property === "blockchainAccountId") return addressOfAccountId(String(value));
  // Bytes of a P-256 key can be a point of secp256k1 by chance, so the declared type counts.
  if (/ed25519|x25519|p-?256|p-?384|p-?521|secp256r1|bls12|rsa/i.test(method.type ?? "")) {
    return { reason: `${method.type} is a key of another curve than secp256k1` };
  }
  try {
    if (property === "publicKeyJwk") return { address: addressOfPublicKeyJwk(value) };
    if (property === "publicKeyHex") return { address: addressOfPublicKeyHex(String(value)) };
    if (property === "publicKeyBase58") return { address: addressOfPublicKeyBase58(String(value)) };
    return { address: addressOfPublicKeyMultibase(String(value)) };
  } catch (error) {
    if (error instanceof PublicKeyError) return { reason: error.message };
    throw error;
  }
}

/** Reads `eip155:<chain id>:<address>` (CAIP-10) and the older `<address>@eip155:<chain id>`. */
function addressOfAccountId(text: string): NamedAddress {
  const match =
    /^eip155:[1-9]\d{0,31}:(0x[0-9a-f]{40})$/i.exec(text) ??
    /^(0x[0-9a-f]{40})@eip155:[1-9]\d{0,31}$/i.exec(text);
  const address = match?.[1];
  if (address && isAddress(address, { strict: false })) return { address: getAddress(address.toLowerCase()) };
  return {
    reason: `blockchainAccountId "${text.slice(0, 100)}" is not of the form eip155:<chain id>:<address>`,
  };
}

/**
 * The DID document to publish so that it names a wallet: the given one with one verification method more, or a new
 * one.
 * @param chainId eip155 chain written into `blockchainAccountId`.
 */
export function documentNamingWallet(
  did: string,
  wallet: Address,
  chainId: number,
  current?: DidDocument,
): Record<string, unknown> {
  const listed = current?.verificationMethod ?? [];
  const taken = new Set(listed.map(({ id }) => absoluteId(id, did)));
  let number = 1;
  while (taken.has(`${did}#wallet-${number}`)) number++;
  const id = `${did}#wallet-${number}`;
  const method = {
    id,
    type: "EcdsaSecp256k1RecoveryMethod2020",
    controller: did,
    blockchainAccountId: `eip155:${chainId}:${getAddress(wallet)}`,
  };
  const base = current ?? {
    "@context": [
      "https://www.w3.org/ns/did/v1",
      "https://w3id.org/security/suites/secp256k1recovery-2020/v2",
    ],
    id: did,
  };
  const restricted = current?.authentication !== undefined || current?.assertionMethod !== undefined;
  return {
    ...base,
    verificationMethod: [...listed, method],
    ...(restricted ? { authentication: [...(current?.authentication ?? []), id] } : {}),
  };
}
