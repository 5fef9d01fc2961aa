import { isJsonObject, listAddresses, normalizeAddress } from "@app-registry/sdk";
import { toPostgresText } from "./toPostgresText.ts";

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
  const named = [did.startsWith("did:pkh:") ? did.slice("did:pkh:".length) : "", contractId];
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
