import type { Address, Hex } from "viem";
import { array } from "zod/mini";
import { checkArguments } from "../arguments.ts";
import { type SignedAttestation, signedAttestationSchema } from "../attest/index.ts";
import { withTimeLimit } from "../client/timeLimit.ts";
import { normalizeDid } from "../did.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { ServiceUnavailableError } from "../errors/serviceErrors.ts";
import { readAnswer as readJsonAnswer } from "../service/requestJson.ts";
import { getCachedProof, proveWallet, type SignMessage } from "./proveWallet.ts";

export type RequestAttestationParameters = {
  /** Origin of a registry web service. */
  baseUrl: string;
  did: string;
  /** The wallet that is to control the DID. */
  connectedAddress: Address;
  /** What to attest: control of the DID, or the hash that a record of it carries. */
  requiredSchemas: readonly ("did-ownership" | "data-hash")[];
  /** Record for `data-hash`; default the DID's latest major. */
  major?: number | undefined;
  /**
   * Signs as `connectedAddress`, for a service that attests to a wallet's holder alone: see `messageSigner`. It is
   * called once for a DID while the service takes what it signed, however often the service is asked.
   */
  signMessage?: SignMessage | undefined;
  /** Of one answer. Default 90,000 ms: the issuer fetches a document and waits for a receipt. */
  timeoutMs?: number | undefined;
};

/** What a publisher serves so that a did:web names the wallet. */
export interface DocumentToPublish {
  url: string;
  text: string;
  /** The DNS TXT record that does the same, where the issuer takes one. */
  txt?: { name: string; record: string } | undefined;
}

/** The issuer's answer, as far as a publisher acts on it. */
export interface AttestationResponse {
  ok: boolean;
  status: string;
  /** Unix seconds at which control of a claimed DID takes effect if nobody acts. */
  controlsFrom?: number | undefined;
  /** End of the block that keeps the wallet from control, in Unix seconds. */
  blockedUntil?: number | undefined;
  /** Unix seconds from which the issuer can attest a wallet that it revoked a short time ago. */
  attestableFrom?: number | undefined;
  txHashes: Hex[];
  /** What the issuer signed for the publisher to send, with status `signed`. */
  signatures: SignedAttestation[];
  /** The did.json that would name the wallet, when that is what is missing. */
  publish?: DocumentToPublish | undefined;
  /** Every way that was tried to show control, and why it failed. */
  ways: AttestationWay[];
  /** Stable code of a refusal. */
  code?: string | undefined;
  title?: string | undefined;
  detail?: string | undefined;
  /** The same request may succeed later without a change. */
  retryable: boolean;
  requestId?: string | undefined;
}

/** A way to show control that failed. */
export interface AttestationWay {
  way: string;
  reason: string;
  /** The account that controls the contract instead of the wallet. */
  owner?: Address | undefined;
  /** The contract's role that the wallet doesn't hold. */
  missingRole?: Hex | undefined;
}

/**
 * Asks the issuer of a registry web service to check a DID or a hash and to attest it
 * (`POST /api/verify-and-attest`). An answer that refuses is returned, not thrown.
 *
 * @throws {ServiceUnavailableError} when the service does not answer, {@link ServiceError} when something else answers
 * in its place, {@link TimeLimitError}.
 * @example
 * const { ok } = await requestAttestation({
 *   baseUrl,
 *   did,
 *   connectedAddress: controller,
 *   requiredSchemas: ["did-ownership"],
 * });
 * ok; // true
 */
export async function requestAttestation(
  parameters: RequestAttestationParameters,
): Promise<AttestationResponse> {
  checkArguments("baseUrl did connectedAddress major? signMessage? timeoutMs?", parameters);
  const { baseUrl, timeoutMs = 90_000, signMessage, ...body } = parameters;
  const ask = (path: string, init?: RequestInit) => fetchObject(baseUrl, path, timeoutMs, init);
  const post = async (request: object) => {
    const { answer, requestId } = await ask("/api/verify-and-attest", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
    });
    return readAnswer(answer, requestId);
  };
  if (!signMessage) return post(body);
  const { connectedAddress } = body;
  const did = normalizeDid(body.did);
  const siwe = await getCachedProof({ baseUrl, did, connectedAddress });
  const first = await post({ ...body, siwe });
  const wantsProof =
    first.code === "wallet-proof-required" || (siwe && first.code === "wallet-proof-invalid");
  if (!wantsProof) return first;
  const readNonce = async () => (await ask("/api/nonce")).answer;
  const proof = { baseUrl, did, connectedAddress, signMessage, readNonce };
  return post({ ...body, siwe: await proveWallet(proof, siwe) });
}

async function fetchObject(
  baseUrl: string,
  path: string,
  timeoutMs: number,
  init: RequestInit = {},
): Promise<{ answer: Record<string, unknown>; requestId: string | null }> {
  return withTimeLimit(baseUrl, timeoutMs, async (signal) => {
    try {
      const url = new URL(path, baseUrl).href;
      const response = await fetch(url, { ...init, signal });
      const answer = await readJsonAnswer(url, response);
      if (typeof answer !== "object" || answer === null)
        throw new TypeError("The response is not an object.");
      return { answer: answer as Record<string, unknown>, requestId: response.headers.get("x-request-id") };
    } catch (error) {
      throw error instanceof AppRegistryError ? error : new ServiceUnavailableError(baseUrl, error);
    }
  });
}

const time = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function readAnswer(answer: Record<string, unknown>, requestId: string | null): AttestationResponse {
  const { txHashes, ways } = answer;
  return {
    ok: answer.ok === true,
    status: text(answer.status) ?? "failed",
    controlsFrom: time(answer.controlsFrom),
    blockedUntil: time(answer.blockedUntil),
    attestableFrom: time(answer.attestableFrom),
    txHashes: Array.isArray(txHashes) ? (txHashes as Hex[]) : [],
    signatures: answer.status === "signed" ? array(signedAttestationSchema).parse(answer.signatures) : [],
    publish: readPublish(answer.publish),
    ways: Array.isArray(ways) ? (ways as AttestationResponse["ways"]) : [],
    code: text(answer.code),
    title: text(answer.title),
    detail: text(answer.detail),
    retryable: answer.retryable === true || answer.status === "pending",
    requestId: requestId ?? undefined,
  };
}

function readPublish(value: unknown): DocumentToPublish | undefined {
  const { url, document, txt } = (value ?? {}) as Record<string, unknown>;
  if (typeof url !== "string" || typeof document !== "string") return undefined;
  const { name, record } = (txt ?? {}) as Record<string, unknown>;
  const isRecord = typeof name === "string" && typeof record === "string";
  return { url, text: document, ...(isRecord ? { txt: { name, record } } : {}) };
}
