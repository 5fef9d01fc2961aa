import { getAddress } from "viem";
import { type DidWeb, didDocumentUrl } from "../did.ts";
import { JsonDocumentError, parseJsonStrict } from "../json.ts";
import { whyElsewhere } from "./accountElsewhere.ts";
import type {
  CheckDidControlParameters,
  DidControlFailure,
  DidControlFailureCode,
  DidControlVerdict,
  DidControlWay,
} from "./didControl.ts";
import { type DidDocument, didDocumentSchema, documentNamingWallet, findWallet } from "./didDocument.ts";
import { findWalletInTxt, txtNameOf, txtRecordNaming } from "./didTxtRecord.ts";
import { GuardedFetchError } from "./guardedFetchError.ts";
import { printable } from "./printable.ts";

/**
 * Checks a did:web by its DID document and, where the operator takes them and the DID is a bare domain, by the TXT
 * records at `_did.<domain>`. Either of the two is enough.
 * @throws RpcUnavailableError when the registry's chain has to be asked about a contract account and does not answer.
 */
export async function checkDidWeb(
  did: DidWeb,
  parameters: CheckDidControlParameters,
): Promise<DidControlVerdict> {
  const byDocument = await checkDocument(did, parameters);
  const { resolveTxt, chainId } = parameters;
  if (byDocument.outcome === "pass" || !resolveTxt) return byDocument;
  const controller = getAddress(parameters.controller);
  const name = txtNameOf(did);
  if (name === undefined) {
    const reason = "is asked for a DID that is a domain only, without port or path";
    return { ...byDocument, ways: [...byDocument.ways, { way: "DNS TXT", reason }] };
  }
  const txt = await findWalletInTxt({ name, wallet: controller, chainId, resolveTxt });
  const elsewhere =
    txt.found && txt.chainId !== chainId
      ? await whyElsewhere(controller, txt.chainId, parameters)
      : undefined;
  if (txt.found && !elsewhere) {
    return { outcome: "pass", evidence: { kind: "dns-txt", name, record: txt.record } };
  }
  const reason = txt.found ? (elsewhere?.reason ?? "") : txt.reason;
  const { publish } = byDocument;
  return {
    ...byDocument,
    outcome: !txt.found && txt.unknown ? "unknown" : byDocument.outcome,
    ways: [...byDocument.ways, { way: `TXT ${name}`, reason }],
    ...(publish
      ? { publish: { ...publish, txt: { name, record: txtRecordNaming(controller, chainId) } } }
      : {}),
  };
}

async function checkDocument(did: DidWeb, parameters: CheckDidControlParameters): Promise<DidControlVerdict> {
  const { guardedFetch, chainId, allowLoopback = false } = parameters;
  const controller = getAddress(parameters.controller);
  const url = didDocumentUrl(did, { allowLoopback });
  const failure = (
    code: DidControlFailureCode,
    reason: string,
    options: { ways?: DidControlWay[]; unknown?: boolean; current?: DidDocument } = {},
  ): DidControlFailure => {
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
    const reason = `The id of ${url} is "${printable(document.id, 300)}"; it must be "${did.did}".`;
    return failure("did-document-id-mismatch", reason);
  }
  const wallet = findWallet(document, controller, chainId);
  if (wallet.found) {
    const elsewhere = wallet.elsewhere
      ? await whyElsewhere(controller, wallet.chainId, parameters)
      : undefined;
    const { methodId, property } = wallet;
    if (!elsewhere) return { outcome: "pass", evidence: { kind: "did-document", url, methodId, property } };
    const ways = [{ way: methodId, reason: elsewhere.reason }];
    return failure(elsewhere.code, elsewhere.reason, { ways, current: document });
  }
  const ways = wallet.methods.map(({ methodId, reason }) => ({ way: methodId, reason }));
  const reason = `No verification method of ${url} names the wallet ${controller}.`;
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
