import { type Address, getAddress } from "viem";
import * as z from "zod";
import { printable } from "./printable.ts";
import {
  type KeyProperty,
  type NamedAccount,
  readMethod,
  type VerificationMethod,
  verificationMethodSchema,
} from "./verificationMethod.ts";

/** Most verification methods, and entries of a relationship, that a document may hold. */
const MAX_ENTRIES = 100;

const relationshipSchema = z.array(z.union([z.string(), verificationMethodSchema])).max(MAX_ENTRIES);

/** The parts of a DID document (W3C DID Core) that decide who controls the DID; other parts are kept. */
export const didDocumentSchema = z.looseObject({
  id: z.string(),
  verificationMethod: z.array(verificationMethodSchema).max(MAX_ENTRIES).optional(),
  authentication: relationshipSchema.optional(),
  assertionMethod: relationshipSchema.optional(),
});

export type DidDocument = z.infer<typeof didDocumentSchema>;

/** Where a document names a wallet, or what each of its verification methods names instead. */
export type WalletInDocument =
  | {
      found: true;
      methodId: string;
      property: KeyProperty;
      /**
       * Whether the wallet is named as an account of another chain, or of none: then it is the same one only if nobody
       * but the holder of a key can be it.
       */
      elsewhere: boolean;
      /** The chain on which it is named; absent for a key and for an account of no chain. */
      chainId?: number;
    }
  | { found: false; methods: { methodId: string; reason: string }[] };

/**
 * Looks for a wallet among the verification methods of a DID document. When the document has `authentication` or
 * `assertionMethod`, only methods that one of them references (or embeds) are taken, as DID Core says that a method
 * listed nowhere proves nothing.
 * @param chainId The eip155 chain on which the wallet is to count.
 */
export function findWallet(document: DidDocument, wallet: Address, chainId: number): WalletInDocument {
  const methods: { methodId: string; reason: string }[] = [];
  const accounts: (NamedAccount & { methodId: string })[] = [];
  const usable = usableMethods(document);
  for (const method of new Set([...usable, ...(document.verificationMethod ?? [])])) {
    const methodId = printable(method.id, 300);
    if (!usable.has(method)) {
      methods.push({ methodId, reason: "is not referenced by authentication or assertionMethod" });
      continue;
    }
    const verdict = readMethod(method, document.id, wallet);
    if (verdict.accounts) accounts.push(...verdict.accounts.map((account) => ({ ...account, methodId })));
    else methods.push({ methodId, reason: verdict.reason });
  }
  const isHere = ({ chain }: NamedAccount) => chain === undefined || chain === `eip155:${chainId}`;
  const best = accounts.find(isHere) ?? accounts[0];
  if (!best) return { found: false, methods };
  const { methodId, property, chain } = best;
  const named = chain ? { chainId: Number(chain.slice("eip155:".length)) } : {};
  return { found: true, methodId, property, elsewhere: !isHere(best), ...named };
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
