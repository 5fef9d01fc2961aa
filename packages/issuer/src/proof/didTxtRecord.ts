import type { ResolveTxt } from "@app-registry/outbound";
import { printable } from "@app-registry/outbound/internal";
import { type DidWeb, InvalidDidError } from "@app-registry/sdk";
import { getDidContract, isLocalhostName } from "@app-registry/sdk/internal";
import { type Address, isAddressEqual } from "viem";

/** Maximum number of records to read per name. */
const MAX_RECORDS = 50;

/** Result of finding a wallet in the TXT records of a name. `chainId` is the chain of its did:pkh. */
export type TxtWalletLookup =
  | { found: true; name: string; record: string; chainId: number }
  | { found: false; name: string; reason: string; unknown: boolean };

/**
 * Lists the DNS names for a DID's TXT records: none for a DID with a port or path, or a loopback DID. Verifiers of x402
 * offers and OMATrust read the first (x402 Signed Offer and Receipt Extension, 4.5.1), which is the one to publish.
 */
export function listTxtRecordNames({ host, port, path }: DidWeb): string[] {
  // DNS proves control of the domain only: its owner may have assigned a port or path to someone else.
  if (port !== undefined || path.length > 0 || isLocalhostName(host)) return [];
  return [`_controllers.${host}`, `_did.${host}`];
}

/** Formats the TXT record for a wallet at `_controllers.<domain>`. */
export function formatTxtRecord(wallet: Address, chainId: number): string {
  return `v=1;controller=did:pkh:eip155:${chainId}:${wallet.toLowerCase()}`;
}

/**
 * Finds a wallet in the TXT records of a name. Records have the form of OMATrust's evidence strings (Identity
 * Specification, 5.3.5.2): fields between semicolons or white space, among them `v=1` and one or more
 * `controller=<did:pkh>`; others are ignored. A record may also be one `controller=<did:pkh>` alone, as at `_did.<domain>`.
 * @param chainId Chain ID of the registry. A record with this chain is preferred.
 */
export async function findWalletInTxt(parameters: {
  name: string;
  wallet: Address;
  chainId: number;
  resolveTxt: ResolveTxt;
}): Promise<TxtWalletLookup> {
  const { name, wallet, chainId, resolveTxt } = parameters;
  let answer: string[][];
  try {
    answer = await resolveTxt(name);
  } catch (error) {
    return { found: false, name, ...explainDnsError(error) };
  }
  const records = answer.slice(0, MAX_RECORDS).map((strings) => strings.join(""));
  const controllers = records.flatMap(readControllers);
  const naming = controllers.filter(({ address }) => isAddressEqual(address, wallet));
  const best = naming.find((controller) => controller.chainId === chainId) ?? naming[0];
  if (best) return { found: true, name, record: best.record, chainId: best.chainId };
  const others = controllers.map(({ address }) => address);
  const reason =
    others.length > 0
      ? `lists ${[...new Set(others)].slice(0, 5).join(", ")} instead`
      : "no record has the form v=1;controller=did:pkh:eip155:<chain id>:<address>";
  return { found: false, name, reason, unknown: false };
}

type TxtController = { record: string; chainId: number; address: Address };

const CONTROLLER = "controller=";

/** Reads the controllers of a record. */
function readControllers(text: string): TxtController[] {
  const fields = text.split(/[;\s]+/).filter((field) => field !== "");
  const isAlone = fields.length === 1;
  if (!isAlone && !fields.includes("v=1")) return [];
  return fields.flatMap((field) => {
    if (!field.startsWith(`${CONTROLLER}did:pkh:`)) return [];
    try {
      const account = getDidContract(field.slice(CONTROLLER.length));
      return account ? { record: printable(text.trim(), 300), ...account } : [];
    } catch (error) {
      if (error instanceof InvalidDidError) return [];
      throw error;
    }
  });
}

function explainDnsError(error: unknown): { reason: string; unknown: boolean } {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOTFOUND" || code === "ENODATA") return { reason: "record not found", unknown: false };
  if (code === "EBADNAME") return { reason: "the name is too long for DNS", unknown: false };
  return { reason: `the name server did not respond (${code || "no reason given"})`, unknown: true };
}
