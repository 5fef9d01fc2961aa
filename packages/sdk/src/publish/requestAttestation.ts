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
  /** Wallet that should control the DID. */
  connectedAddress: Address;
  /** Statements to attest: control of the DID, or the dataHash of its record. */
  requiredSchemas: readonly ("did-ownership" | "data-hash")[];
  /** Major version of the record for `data-hash`. Default: the DID's latest major. */
  major?: number | undefined;
  /**
   * Signs as `connectedAddress`, for a service that only attests at the request of the wallet itself: see
   * `messageSigner`. Called once per DID while the service accepts the signature, for any number of requests.
   */
  signMessage?: SignMessage | undefined;
  /**
   * Time limit of one request, in milliseconds. Default 90,000: the issuer fetches a document and waits for a receipt.
   */
  timeoutMs?: number | undefined;
};

/** Document that a publisher serves so that a did:web names the wallet. */
export interface DocumentToPublish {
  url: string;
  text: string;
  /** DNS TXT record with the same effect, if the issuer accepts one. */
  txt?: { name: string; record: string } | undefined;
}

/** Response of the issuer, reduced to the fields that a publisher acts on. */
export interface AttestationResponse {
  ok: boolean;
  status: string;
  /**
   * Time at which control takes effect if nobody acts, in Unix seconds, when another account was attested for the DID
   * before.
   */
  controlsFrom?: number | undefined;
  /** End of the block that prevents the wallet from controlling the DID, in Unix seconds. */
  blockedUntil?: number | undefined;
  /** Time from which the issuer can attest a wallet that it recently revoked, in Unix seconds. */
  attestableFrom?: number | undefined;
  txHashes: Hex[];
  /** Attestations that the issuer signed for the publisher to submit, with status `signed`. */
  signatures: SignedAttestation[];
  /** The did.json that would name the wallet, if that is missing. */
  publish?: DocumentToPublish | undefined;
  /** Every attempt to prove control, with the reason why it failed. */
  ways: AttestationWay[];
  /** Stable code of the refusal. */
  code?: string | undefined;
  title?: string | undefined;
  detail?: string | undefined;
  /** True if the same request may succeed later. */
  retryable: boolean;
  requestId?: string | undefined;
}

/** Failed attempt to prove control. */
export interface AttestationWay {
  way: string;
  reason: string;
  /** Account that controls the contract instead of the wallet. */
  owner?: Address | undefined;
  /** Role of the contract that the wallet does not hold. */
  missingRole?: Hex | undefined;
}

/**
 * Requests that the issuer of a registry web service checks a DID or a hash and attests it (`POST
 * /api/verify-and-attest`). Returns a refusal as a response and does not throw it.
 *
 * @throws {ServiceUnavailableError} when the service does not respond.
 * @throws {ServiceError} when another server responds in its place.
 * @throws {TimeLimitError} when the service does not respond in time.
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
  const dids = [normalizeDid(body.did)];
  const siwe = await getCachedProof({ baseUrl, dids, connectedAddress });
  const first = await post({ ...body, siwe });
  const wantsProof =
    first.code === "wallet-proof-required" || (siwe && first.code === "wallet-proof-invalid");
  if (!wantsProof) return first;
  const readNonce = async () => (await ask("/api/nonce")).answer;
  const proof = { baseUrl, dids, connectedAddress, signMessage, readNonce };
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
