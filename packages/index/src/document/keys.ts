import { getSite, getSite as siteOfHost } from "@app-registry/outbound/site";
import {
  getContractId,
  getRelation,
  isJsonObject,
  listAddresses,
  normalizeAddress,
  traitHash,
} from "@app-registry/sdk";
import {
  getDidContract,
  getDidHost,
  hashCanonicalDid,
  hostDids,
  isCheckedUse,
  isInside,
  MAX_OTHER_HOSTS,
} from "@app-registry/sdk/internal";
import { LRUCache } from "lru-cache";
import unhomoglyph from "unhomoglyph";
import type { Hex } from "viem";

/**
 * Converts a string to one that PostgreSQL can store: without NUL, and with lone surrogates replaced by U+FFFD.
 * Truncates it to `max` UTF-16 code units, never inside a surrogate pair.
 */
export function toPostgresText(text: string, max = Number.POSITIVE_INFINITY): string {
  const clean = text.replaceAll("\0", "");
  const cut = clean.length > max ? `${clean.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/u, "")}…` : clean;
  return cut.toWellFormed();
}

/** Most keys of a document, so that none fills the index of all. */
const MAX_KEYS = 200;
/** Longest key, in UTF-16 code units: PostgreSQL refuses longer entries of an index. */
const MAX_KEY = 2_000;

/** Uses of addresses by which a service is looked up. Others, such as a sign-in page, belong to many services. */
export const addressUses = ["endpoint", "launch", "payment", "schema", "website"] as const;

const isLookedUp = (use: string): boolean => (addressUses as readonly string[]).includes(use);

/** Joins a use and an address to a key of the column `addresses`. */
export const toAddressKey = (use: string, address: string): string => `${use} ${address}`;

/** Lists the keys by which a document's addresses and recipients of payments are looked up. */
export function listAddressKeys(document: Record<string, unknown>): string[] {
  // Another method would only change the use of a contract's RPC.
  const located = listAddresses("did:web:localhost", document);
  const keys = [
    ...located.flatMap(({ use, url }) => {
      const address = isLookedUp(use) ? normalizeAddress(url) : undefined;
      return address === undefined ? [] : [toAddressKey(use, address)];
    }),
    ...listRecipients(document).flatMap((account) => accountKeys("payTo", account)),
  ];
  const usable = keys.filter((key) => key.length <= MAX_KEY && toPostgresText(key) === key);
  return [...new Set(usable)].slice(0, MAX_KEYS);
}

/** Lists the keys of the contracts that a record names: that of its DID, and its contractId. */
export function listContractKeys({ did, contractId = "" }: { did: string; contractId?: string }): string[] {
  const named = [getContractId(did) ?? "", contractId];
  return [...new Set(named.filter(Boolean).flatMap((account) => accountKeys("contract", account)))];
}

/** Lists the keys of an account: with its chain, and without for those who only know the address. */
function accountKeys(use: string, account: string): string[] {
  const [namespace = "", chain, address = ""] = account.split(":");
  if (namespace !== "eip155") return [toAddressKey(use, account)];
  const lower = address.toLowerCase();
  return [toAddressKey(use, `eip155:${chain}:${lower}`), toAddressKey(use, lower)];
}

/** Lists the recipients of a document's payments as CAIP-10 ids. */
function listRecipients({ payments }: Record<string, unknown>): string[] {
  return (Array.isArray(payments) ? payments : []).flatMap((payment: unknown) => {
    if (!isJsonObject(payment) || typeof payment.payTo !== "string") return [];
    const { payTo, chains } = payment;
    return (Array.isArray(chains) ? chains : []).map((chain) => `${chain}:${payTo}`);
  });
}

/** Longest text of all addresses of a document, in UTF-16 code units. */
const MAX_TEXT = 16_000;

/** A DID of a contract, for which the endpoint named Contract is an RPC. */
const CONTRACT_DID = `did:pkh:eip155:1:0x${"0".repeat(40)}`;

/**
 * Lists the addresses by which a service is reached, each after its use, and RPCs of its contract. Returns null if they
 * are too long to be stored.
 */
export function listReached(document: Record<string, unknown>): string[] | null {
  const keys = listAddresses(CONTRACT_DID, document).flatMap(({ use, url }) => {
    if (use !== "rpc" && !isCheckedUse(use)) return [];
    return [toAddressKey(use, URL.canParse(url) ? new URL(url).href : "")];
  });
  const reached = [...new Set(keys)];
  return reached.join("").length > MAX_TEXT ? null : reached;
}

/**
 * Lists the hosts, outside what a DID proves by its name, of a service's addresses. Each is the hashes of the host's
 * DIDs, without and with its port, separated by a space; empty for an IP address. Lists at most one more than *origin*
 * checks.
 */
export function listOutsideHosts(did: string, reached: readonly string[]): string[] {
  const hasHost = getDidHost(did) !== undefined;
  const hosts = reached.flatMap((key) => {
    const [use = ""] = key.split(" ", 1);
    const url = key.slice(use.length + 1);
    if ((use === "rpc" && !hasHost) || isInside(getRelation(did, url, getSite))) return [];
    return [hostDids({ url }).map(hashCanonicalDid).join(" ")];
  });
  return [...new Set(hosts)].slice(0, MAX_OTHER_HOSTS + 1);
}

/** Returns the site of a DID: its host's site or the host; for a contract, its chain (`eip155:1`). */
export function getDidSite(did: string): string {
  const host = getDidHost(did);
  return host === undefined ? `eip155:${getDidContract(did)?.chainId}` : (siteOfHost(host) ?? host);
}

/** Keys by which names are compared. Null if a name has no characters to compare. */
export type NameKeys = {
  /** Name without case, accents, spaces, punctuation and invisible characters. */
  nameFolded: string | null;
  /** Skeleton of the name (UTS #39), in which confusable characters of all scripts are equal. */
  nameSkeleton: string | null;
};

/** Longest part of a name to compare, in UTF-16 code units. */
const MAX_NAME = 1_000;

/** Longest key, in UTF-16 code units. A B-tree key has at most 2,704 bytes. */
const MAX_NAME_KEY = 200;

/** Spaces, hyphens and punctuation, except for signs that distinguish `C#` from `C`. */
const SEPARATORS = /[\s\p{Pd}\p{Pc}]|(?![#@&%*/\\])\p{P}/gu;

/** Symbols such as seals and ticks. Names of only symbols keep them. */
const DECORATION = /\p{So}/gu;

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Accents of Latin, Greek and Cyrillic letters. In other scripts, combining marks distinguish letters. */
const ACCENTS = /[\u0300-\u036f]/g;

/**
 * Returns keys that are equal for names that are equal or look alike. Ticks, dots and invisible characters make no
 * difference. Characters that some typefaces draw alike in either case (I, i, l and 1) are equal in a skeleton.
 */
export function getNameKeys(name: string | null): NameKeys {
  const plain = (name ?? "").slice(0, MAX_NAME).normalize("NFKC").replace(INVISIBLE, "");
  const bare = plain.replace(SEPARATORS, "").replace(DECORATION, "") || plain.replace(SEPARATORS, "");
  const text = bare || plain.trim();
  return { nameFolded: toKey(withoutAccents(text).toLowerCase()), nameSkeleton: toKey(skeleton(text)) };
}

function skeleton(text: string): string {
  const seen = unhomoglyph(withoutAccents(text)).toLowerCase();
  return withoutAccents(unhomoglyph(seen)).toLowerCase().replaceAll("i", "l");
}

const withoutAccents = (text: string): string => text.normalize("NFD").replace(ACCENTS, "");

const toKey = (text: string): string | null => text.slice(0, MAX_NAME_KEY).toWellFormed() || null;

/** Cache of trait hashes. A few strings make up most traits. */
const traitHashCache = new LRUCache<string, { hash: Hex | undefined }>({
  max: 10_000,
  memoMethod: (trait) => ({ hash: computeHash(trait) }),
});

function computeHash(trait: string): Hex | undefined {
  try {
    return traitHash(trait);
  } catch {
    return undefined;
  }
}

/** Returns the hash of a trait string, or `undefined` if it is not a valid trait. */
export const getTraitHash = (trait: string): Hex | undefined => traitHashCache.memo(trait).hash;
