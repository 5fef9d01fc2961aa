import { printable } from "@app-registry/outbound/internal";
import { type Address, getAddress } from "viem";
import * as z from "zod";
import { absoluteId, isFalse } from "./methodProblem.ts";
import {
  type KeyProperty,
  type NamedAccount,
  readMethod,
  type VerificationMethod,
  verificationMethodSchema,
} from "./verificationMethod.ts";

/** Most verification methods in a document, and most entries in each relationship. */
const MAX_ENTRIES = 100;

const relationshipSchema = z.array(z.union([z.string(), verificationMethodSchema])).max(MAX_ENTRIES);

/** The relationships by which a method speaks for the DID, and those for other purposes. */
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

/** The parts of a DID document (W3C DID Core) that decide who controls the DID; other parts are kept. */
export const didDocumentSchema = didDocumentPartsSchema.refine(
  (document) => [...iterateVerificationMethods(document)].length <= MAX_ENTRIES,
  {
    error: `has more than ${MAX_ENTRIES} verification methods`,
  },
);

/** Where a document names a wallet, or why each of its verification methods proves nothing. */
export type DocumentWalletLookup =
  | {
      found: true;
      methodId: string;
      property: KeyProperty;
      /**
       * Whether the wallet is named as an account of another chain, or of none. Then it is the same account only if it
       * belongs to a key.
       */
      elsewhere: boolean;
      /** The chain on which it is named; absent for a key and for an account without a chain. */
      chainId?: number;
    }
  | { found: false; methods: RefusedMethod[] };

/** `named`: whether the refused method names the wallet. */
type RefusedMethod = { methodId: string; named: boolean; reason: string };

/**
 * Whether a document says that its DID is deactivated, itself or in the metadata of a resolution (DID Resolution 1.0).
 * A flag other than false counts as true.
 */
export function isDeactivated({ deactivated, didDocumentMetadata }: DidDocument): boolean {
  const metadata = z.looseObject({}).safeParse(didDocumentMetadata).data;
  return !isFalse(deactivated) || !isFalse(metadata?.deactivated);
}

/**
 * Looks for a wallet among the verification methods of a DID document. A method counts if nothing disqualifies it
 * (`findMethodProblem`), no other object in the document has its id, and a relationship lets it speak for the DID. If the
 * document has `authentication` or `assertionMethod`, one of them must list the method. Otherwise any method counts that
 * isn't listed for another purpose, such as `keyAgreement`.
 * @param chainId The eip155 chain on which the wallet would count.
 * @param now The time to compare `revoked` and `expires` with, Unix milliseconds.
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

/** Every method of a document, and why no relationship lets it speak for the DID; undefined if one does. */
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
 * How many objects of a document have each id. The meaning of a shared id is not defined (Controlled Identifiers,
 * Fragment Resolution), so readers disagree about which object counts.
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
 * The DID document to publish so that it names a wallet: the given one with one more verification method and not
 * deactivated, or a new one if there is none or it is full.
 * @param chainId eip155 chain written into `blockchainAccountId`.
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
  // Unused both as an id and in references: an id that keyAgreement lists, for example, would not work.
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
