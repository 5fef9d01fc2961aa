import { GuardedFetchError, type ResolveTxt } from "@app-registry/outbound";
import { printable } from "@app-registry/outbound/internal";
import {
  type DidWeb,
  didDocumentUrl,
  InvalidDidError,
  JsonDocumentError,
  MAX_DOCUMENT_SIZE,
  parseJsonStrict,
} from "@app-registry/sdk";
import { getDidContract, isLocalhostName } from "@app-registry/sdk/internal";
import { type Address, getAddress, isAddressEqual } from "viem";
import {
  type CheckDidControlParameters,
  type DidControlAttempt,
  type DidControlFailure,
  type DidControlFailureCode,
  type DidControlVerdict,
  findForeignChainProblem,
} from "./didControl.ts";
import {
  addWalletToDocument,
  type DidDocument,
  didDocumentSchema,
  findWallet,
  isDeactivated,
} from "./didDocument.ts";

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

/**
 * Checks a did:web by its DID document or by the TXT records of its domain, if the operator accepts those and the DID
 * is a bare domain. Either suffices.
 * @throws {RpcUnavailableError} if the registry's chain does not respond and is required for a contract account.
 */
export async function checkDidWeb(
  did: DidWeb,
  parameters: CheckDidControlParameters,
): Promise<DidControlVerdict> {
  const byDocument = await checkDocument(did, parameters);
  const { resolveTxt, chainId } = parameters;
  if (byDocument.outcome === "pass" || !resolveTxt) return byDocument;
  // A DNS record can't reactivate a DID that its own document deactivates.
  if (byDocument.code === "did-document-deactivated") return byDocument;
  const controller = getAddress(parameters.controller);
  const [advised, ...others] = listTxtRecordNames(did);
  if (advised === undefined) {
    const reason = "only applies to a DID that is a plain domain, without port or path";
    return { ...byDocument, ways: [...byDocument.ways, { way: "DNS TXT", reason }] };
  }
  const { publish } = byDocument;
  const failure = {
    ...byDocument,
    ways: [...byDocument.ways],
    ...(publish && {
      publish: { ...publish, txt: { name: advised, record: formatTxtRecord(controller, chainId) } },
    }),
  };
  for (const name of [advised, ...others]) {
    const txt = await findWalletInTxt({ name, wallet: controller, chainId, resolveTxt });
    const elsewhere =
      txt.found && txt.chainId !== chainId
        ? await findForeignChainProblem(controller, txt.chainId, parameters)
        : undefined;
    if (txt.found && !elsewhere) {
      return { outcome: "pass", evidence: { kind: "dns-txt", name, record: txt.record } };
    }
    failure.ways.push({ way: `TXT ${name}`, reason: txt.found ? (elsewhere?.reason ?? "") : txt.reason });
    if (!txt.found && txt.unknown) failure.outcome = "unknown";
  }
  return failure;
}

async function checkDocument(did: DidWeb, parameters: CheckDidControlParameters): Promise<DidControlVerdict> {
  const { guardedFetch, chainId, allowLoopback = false, now = Date.now() } = parameters;
  const controller = getAddress(parameters.controller);
  const url = didDocumentUrl(did, { allowLoopback });
  const failure = (
    code: DidControlFailureCode,
    reason: string,
    options: { ways?: DidControlAttempt[]; unknown?: boolean; current?: DidDocument } = {},
  ): DidControlFailure => {
    const document = buildDidDocument(did.did, controller, chainId, options.current);
    return {
      outcome: options.unknown ? "unknown" : "fail",
      code,
      reason,
      ways: options.ways ?? [{ way: url, reason }],
      publish: { url, document },
    };
  };

  let text: string;
  try {
    ({ text } = await guardedFetch.fetchDocument(url, { sameOrigin: true }));
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    const missing = error.status === 404 || error.status === 410;
    const code = missing ? "did-document-missing" : "did-document-unreachable";
    return failure(code, missing ? `No DID document was found at ${url}.` : error.shortMessage, {
      unknown: error.retryable,
    });
  }

  const document = readDocument(text);
  if (typeof document === "string") return failure("did-document-invalid", `${url}: ${document}`);
  if (document.id !== did.did) {
    const reason = `The id in ${url} is "${printable(document.id, 300)}", but it must be "${did.did}".`;
    return failure("did-document-id-mismatch", reason);
  }
  if (isDeactivated(document)) {
    const reason = `The DID document at ${url} is marked as deactivated.`;
    return failure("did-document-deactivated", reason, { current: document });
  }
  const wallet = findWallet(document, controller, chainId, now);
  if (wallet.found) {
    const elsewhere = wallet.elsewhere
      ? await findForeignChainProblem(controller, wallet.chainId, parameters)
      : undefined;
    const { methodId, property } = wallet;
    if (!elsewhere) return { outcome: "pass", evidence: { kind: "did-document", url, methodId, property } };
    const ways = [{ way: methodId, reason: elsewhere.reason }];
    return failure(elsewhere.code, elsewhere.reason, { ways, current: document });
  }
  const ways = wallet.methods.map(({ methodId, reason }) => ({ way: methodId, reason }));
  const refused = wallet.methods.find(({ named }) => named);
  const reason = refused
    ? `${url} lists the wallet ${controller}, but not with a method that proves control. ${refused.methodId}: ${refused.reason}.`
    : `${url} doesn't list the wallet ${controller} in any verification method.`;
  return failure("wallet-not-in-did-document", reason, {
    ways: ways.length > 0 ? ways : [{ way: url, reason: "it contains no verification methods" }],
    current: document,
  });
}

/** Builds the document to publish: that of `addWalletToDocument`, or a new one if it would exceed the size limit. */
function buildDidDocument(did: string, wallet: Address, chainId: number, current?: DidDocument): string {
  const document = addWalletToDocument(did, wallet, chainId, current);
  const texts = [JSON.stringify(document, null, 2), JSON.stringify(document)];
  const readable = texts.find((text) => Buffer.byteLength(text) <= MAX_DOCUMENT_SIZE);
  return readable ?? buildDidDocument(did, wallet, chainId);
}

/** Parses a DID document. Returns the document, or a description of the problem. */
function readDocument(text: string): DidDocument | string {
  try {
    const value = parseJsonStrict(text);
    const parsed = didDocumentSchema.safeParse(value);
    if (parsed.success) return parsed.data;
    if (typeof value === "object" && value !== null && "didDocument" in value) {
      return "it is a DID resolution result, not a DID document. Serve only its didDocument";
    }
    const issue = parsed.error.issues[0];
    return `it is not a DID document: /${issue?.path.join("/") ?? ""} ${issue?.message ?? ""}`;
  } catch (error) {
    if (error instanceof JsonDocumentError) return error.message;
    throw error;
  }
}
