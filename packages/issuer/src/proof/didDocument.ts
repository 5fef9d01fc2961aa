import { printable } from "@app-registry/outbound/internal";
import { type Address, getAddress } from "viem";
import * as z from "zod";
import {
  absoluteId,
  isFalse,
  type KeyProperty,
  type NamedAccount,
  readMethod,
  type VerificationMethod,
  verificationMethodSchema,
} from "./verificationMethod.ts";

/** Maximum number of verification methods in a document, and of entries in each relationship. */
const MAX_ENTRIES = 100;

const relationshipSchema = z.array(z.union([z.string(), verificationMethodSchema])).max(MAX_ENTRIES);

/** Relationships whose methods prove control of the DID, and those for other purposes. */
const controlRelationships = ["authentication", "assertionMethod"] as const;
const otherRelationships = ["keyAgreement", "capabilityInvocation", "capabilityDelegation"] as const;
type Relationship = (typeof controlRelationships)[number] | (typeof otherRelationships)[number];

const didDocumentPartsSchema = z.looseObject({
  id: z.string(),
  verificationMethod: z.array(verificationMethodSchema).max(MAX_ENTRIES).optional(),
  authentication: relationshipSchema.optional(),
  assertionMethod: relationshipSchema.optional(),
  keyAgreement: relationshipSchema.optional(),
  capabilityInvocation: relationshipSchema.optional(),
  capabilityDelegation: relationshipSchema.optional(),
});

export type DidDocument = z.infer<typeof didDocumentPartsSchema>;

/**
 * Schema of the parts of a DID document (W3C DID Core) that determine control of the DID. Other parts are unchanged.
 */
export const didDocumentSchema = didDocumentPartsSchema.refine(
  (document) => [...iterateVerificationMethods(document)].length <= MAX_ENTRIES,
  {
    error: `has more than ${MAX_ENTRIES} verification methods`,
  },
);

/** Verification method that contains a wallet, or the reasons that no method proves control. */
export type DocumentWalletLookup =
  | {
      found: true;
      methodId: string;
      property: KeyProperty;
      /**
       * True if the method contains the wallet as an account of another chain or of none. Then it is the same account
       * only if it belongs to a key.
       */
      elsewhere: boolean;
      /** Chain of the account in the method. Absent for a key and for an account without a chain. */
      chainId?: number;
    }
  | { found: false; methods: RefusedMethod[] };

/** Method that does not prove control. `named` is true if it contains the wallet. */
type RefusedMethod = { methodId: string; named: boolean; reason: string };

/**
 * Returns true if a document deactivates its DID, itself or in its resolution metadata (DID Resolution 1.0). Any flag
 * other than false counts as true.
 */
export function isDeactivated({ deactivated, didDocumentMetadata }: DidDocument): boolean {
  const metadata = z.looseObject({}).safeParse(didDocumentMetadata).data;
  return !isFalse(deactivated) || !isFalse(metadata?.deactivated);
}

/**
 * Finds a wallet among the verification methods of a DID document. A method proves control if `findMethodProblem` finds
 * no problem, its `id` is unique in the document, and its relationships permit it. If the document has `authentication`
 * or `assertionMethod`, one of them must list the method. Otherwise the method must not be listed for another purpose,
 * such as `keyAgreement`.
 * @param chainId Chain ID (eip155) of the registry.
 * @param now Time to compare `revoked` and `expires` with, in Unix milliseconds.
 */
export function findWallet(
  document: DidDocument,
  wallet: Address,
  chainId: number,
  now: number,
): DocumentWalletLookup {
  const refused: RefusedMethod[] = [];
  const found: (NamedAccount & { methodId: string })[] = [];
  const ids = countIds(document);
  for (const { method, unlisted } of iterateVerificationMethods(document)) {
    const methodId = printable(method.id, 300);
    const { accounts, reason } = readMethod(method, { did: document.id, wallet, now });
    const isShared = ids.get(absoluteId(method.id, document.id)) !== 1;
    const refusal =
      unlisted ?? reason ?? (isShared ? "another entry in the document has the same id" : undefined);
    if (refusal === undefined) found.push(...accounts.map((account) => ({ ...account, methodId })));
    else refused.push({ methodId, named: accounts.length > 0, reason: refusal });
  }
  const isHere = ({ chain }: NamedAccount) => chain === undefined || chain === `eip155:${chainId}`;
  const best = found.find(isHere) ?? found[0];
  if (!best) return { found: false, methods: refused };
  const { methodId, property, chain } = best;
  const named = chain ? { chainId: Number(chain.slice("eip155:".length)) } : {};
  return { found: true, methodId, property, elsewhere: !isHere(best), ...named };
}

/** Yields each method, with the reason its relationships don't permit it, or `undefined` if they do. */
function* iterateVerificationMethods(
  document: DidDocument,
): Generator<{ method: VerificationMethod; unlisted: string | undefined }> {
  const lists = (name: Relationship, id: string) =>
    document[name]?.some((entry) => typeof entry === "string" && absoluteId(entry, document.id) === id);
  const otherwise = (name: Relationship) =>
    `is listed under ${name}, not under authentication or assertionMethod`;
  const isRestricted = controlRelationships.some((name) => document[name]);
  const whyUnlisted = (id: string) => {
    if (controlRelationships.some((name) => lists(name, id))) return undefined;
    const use = otherRelationships.find((name) => lists(name, id));
    if (use) return otherwise(use);
    return isRestricted ? "is not listed under authentication or assertionMethod" : undefined;
  };
  for (const method of document.verificationMethod ?? []) {
    yield { method, unlisted: whyUnlisted(absoluteId(method.id, document.id)) };
  }
  for (const name of [...controlRelationships, ...otherRelationships]) {
    const embedded = document[name]?.filter((entry) => typeof entry !== "string") ?? [];
    const unlisted = otherRelationships.some((one) => one === name) ? otherwise(name) : undefined;
    for (const method of embedded) yield { method, unlisted };
  }
}

/**
 * Counts the objects of a document by `id`. Readers disagree about the meaning of a shared `id`, which Controlled
 * Identifiers (Fragment Resolution) does not define.
 */
function countIds(document: DidDocument): Map<string, number> {
  const counts = new Map<string, number>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if ("id" in value && typeof value.id === "string") {
      const id = absoluteId(value.id, document.id);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    for (const member of Object.values(value)) visit(member);
  };
  visit(document);
  return counts;
}

/**
 * Returns a DID document that contains a wallet: the given one, activated and with another verification method, or a
 * new one if none exists or it is full.
 * @param chainId Chain ID (eip155) for `blockchainAccountId`.
 */
export function addWalletToDocument(
  did: string,
  wallet: Address,
  chainId: number,
  current?: DidDocument,
): Record<string, unknown> {
  const { verificationMethod = [], authentication = [] } = current ?? {};
  const isFull =
    current &&
    Math.max([...iterateVerificationMethods(current)].length, authentication.length) >= MAX_ENTRIES;
  if (isFull) return addWalletToDocument(did, wallet, chainId);
  // Avoid IDs that occur anywhere, also as references: one that keyAgreement lists, for example, would be rejected.
  const taken = new Set(JSON.stringify(current)?.match(/#wallet-[0-9]+/g));
  let number = 1;
  while (taken.has(`#wallet-${number}`)) number++;
  const id = `${did}#wallet-${number}`;
  const method = {
    id,
    type: "EcdsaSecp256k1RecoveryMethod2020",
    controller: did,
    blockchainAccountId: `eip155:${chainId}:${getAddress(wallet)}`,
  };
  const fresh = {
    "@context": [
      "https://www.w3.org/ns/did/v1",
      "https://w3id.org/security/suites/secp256k1recovery-2020/v2",
    ],
    id: did,
  };
  const {
    deactivated: _deactivated,
    didDocumentMetadata: _metadata,
    ...kept
  }: DidDocument = current ?? fresh;
  const restricted = controlRelationships.some((name) => current?.[name] !== undefined);
  return {
    ...kept,
    verificationMethod: [...verificationMethod, method],
    ...(restricted ? { authentication: [...authentication, id] } : {}),
  };
}
