import { type Address, getAddress, isAddressEqual, type PublicClient } from "viem";
import { type DidPkh, type DidWeb, didDocumentUrl, parseDid } from "../did.ts";
import { JsonDocumentError, parseJsonStrict } from "../json.ts";
import {
  type DidDocument,
  didDocumentSchema,
  documentNamingWallet,
  findWallet,
  type KeyProperty,
} from "./didDocument.ts";
import { type OwnerWay, readContractControl } from "./didPkhOwner.ts";
import type { GuardedFetch } from "./guardedFetch.ts";
import { GuardedFetchError } from "./guardedFetchError.ts";

/** What proves that a wallet controls a DID. */
export type DidControlEvidence =
  | { kind: "did-document"; url: string; methodId: string; property: KeyProperty }
  | {
      kind: "contract-owner";
      chainId: number;
      contract: Address;
      way: OwnerWay;
      proxyAdmin?: Address;
      blockNumber: number;
    };

/** Stable name of the reason why control is not proven. */
export type DidControlFailureCode =
  | "did-document-unreachable"
  | "did-document-missing"
  | "did-document-invalid"
  | "did-document-id-mismatch"
  | "wallet-not-in-did-document"
  | "chain-not-configured"
  | "contract-owner-unknown"
  | "contract-owner-mismatch";

/** One way that was tried, and why it does not prove control. */
export type DidControlWay = { way: string; reason: string };

/** The file that a publisher has to serve so that the wallet controls its did:web. */
export type DidDocumentToPublish = { url: string; document: string };

export type DidControl =
  | { outcome: "pass"; did: string; controller: Address; evidence: DidControlEvidence }
  | {
      /** `unknown`: a host did not answer, so nothing is known; asking again later may succeed. */
      outcome: "fail" | "unknown";
      did: string;
      controller: Address;
      code: DidControlFailureCode;
      /** One sentence for the publisher. */
      reason: string;
      ways: DidControlWay[];
      publish?: DidDocumentToPublish;
    };

export type CheckDidControlParameters = {
  /** A DID as a person types it. */
  did: string;
  /** The wallet that is to control it. */
  controller: Address;
  guardedFetch: GuardedFetch;
  /** A client of the chain that a did:pkh names; undefined when the operator configured none. */
  chainClient: (chainId: number) => PublicClient | undefined;
  /** Chain written into the did.json that is proposed. */
  chainId: number;
  /** Reads did.json of loopback hosts over plain http. Default false. */
  allowLoopback?: boolean;
};

type Failure = Omit<Extract<DidControl, { outcome: "fail" | "unknown" }>, "did" | "controller">;
type Verdict = { outcome: "pass"; evidence: DidControlEvidence } | Failure;

/**
 * Checks whether a wallet controls a DID: a did:web by its DID document, whose `id` must be the DID, a did:pkh by the
 * owner of its contract. Says what was found, or for each way why it failed and which did.json to publish.
 * @throws InvalidDidError for a DID that isn't one, RpcUnavailableError when a did:pkh's chain does not answer.
 */
export async function checkDidControl(parameters: CheckDidControlParameters): Promise<DidControl> {
  const did = parseDid(parameters.did);
  const controller = getAddress(parameters.controller);
  const verdict =
    did.method === "web" ? await checkDidWeb(did, parameters) : await checkDidPkh(did, parameters);
  return { did: did.did, controller, ...verdict };
}

async function checkDidWeb(did: DidWeb, parameters: CheckDidControlParameters): Promise<Verdict> {
  const { controller, guardedFetch, chainId, allowLoopback = false } = parameters;
  const url = didDocumentUrl(did, { allowLoopback });
  const failure = (
    code: DidControlFailureCode,
    reason: string,
    options: { ways?: DidControlWay[]; unknown?: boolean; current?: DidDocument } = {},
  ): Failure => {
    const document = documentNamingWallet(did.did, controller, chainId, options.current);
    return {
      outcome: options.unknown ? "unknown" : "fail",
      code,
      reason,
      ways: options.ways ?? [{ way: url, reason }],
      publish: { url, document: JSON.stringify(document, null, 2) },
    };
  };

  let text: string;
  try {
    ({ text } = await guardedFetch.fetchDocument(url, { sameOrigin: true }));
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error;
    const missing = error.status === 404 || error.status === 410;
    const code = missing ? "did-document-missing" : "did-document-unreachable";
    return failure(code, missing ? `There is no DID document at ${url}.` : error.shortMessage, {
      unknown: error.retryable,
    });
  }

  const document = readDocument(text);
  if (typeof document === "string") return failure("did-document-invalid", `${url}: ${document}`);
  if (document.id !== did.did) {
    const reason = `The id of ${url} is "${document.id.slice(0, 300)}"; it must be "${did.did}".`;
    return failure("did-document-id-mismatch", reason);
  }
  const wallet = findWallet(document, controller);
  if (wallet.found) {
    const { methodId, property } = wallet;
    return { outcome: "pass", evidence: { kind: "did-document", url, methodId, property } };
  }
  const ways = wallet.methods.map(({ methodId, reason }) => ({ way: methodId, reason }));
  const reason = `No verification method of ${url} names the wallet ${getAddress(controller)}.`;
  return failure("wallet-not-in-did-document", reason, {
    ways: ways.length > 0 ? ways : [{ way: url, reason: "it has no verification methods" }],
    current: document,
  });
}

/** The document, or what is wrong with it. */
function readDocument(text: string): DidDocument | string {
  try {
    const parsed = didDocumentSchema.safeParse(parseJsonStrict(text));
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    return `it is not a DID document: /${issue?.path.join("/") ?? ""} ${issue?.message ?? ""}`;
  } catch (error) {
    if (error instanceof JsonDocumentError) return error.message;
    throw error;
  }
}

async function checkDidPkh(did: DidPkh, parameters: CheckDidControlParameters): Promise<Verdict> {
  const { controller, chainClient } = parameters;
  const client = chainClient(did.chainId);
  const contract = getAddress(did.address);
  if (!client) {
    const reason = `This server reads no chain ${did.chainId}: its operator has to set RPC_URL_${did.chainId}.`;
    return {
      outcome: "fail",
      code: "chain-not-configured",
      reason,
      ways: [{ way: `eip155:${did.chainId}`, reason }],
    };
  }
  const { owner, answers, blockNumber } = await readContractControl({
    client,
    chainId: did.chainId,
    address: did.address,
  });
  const decisive = answers.at(-1);
  if (owner && decisive && isAddressEqual(owner, controller)) {
    const { way, proxyAdmin } = decisive;
    const evidence = { kind: "contract-owner", chainId: did.chainId, contract, way } as const;
    return {
      outcome: "pass",
      evidence: { ...evidence, ...(proxyAdmin ? { proxyAdmin } : {}), blockNumber: Number(blockNumber) },
    };
  }
  const ways = answers.map((answer) => ({
    way: answer.way,
    reason: answer.owner ? `names ${answer.owner}, not the connected wallet` : (answer.reason ?? ""),
  }));
  if (owner && decisive) {
    const reason = `The contract ${contract} is controlled by ${owner} (${decisive.way}), not by ${getAddress(controller)}.`;
    return { outcome: "fail", code: "contract-owner-mismatch", reason, ways };
  }
  const reason = `The contract ${contract} on chain ${did.chainId} names nobody who controls it.`;
  return { outcome: "fail", code: "contract-owner-unknown", reason, ways };
}
