import type { Address, Hex } from "viem";
import { array } from "zod/mini";
import { checkArguments } from "../arguments.ts";
import { type CanonicalDid, normalizeDid } from "../did.ts";
import { getDidContract, getDidHost } from "../didMethods.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { ServiceUnavailableError, withTimeLimit } from "../errors/networkErrors.ts";
import { readAnswer as readJsonAnswer } from "../requestJson.ts";
import { type SignedAttestation, signedAttestationSchema } from "../signedAttestation.ts";
import { getCachedProof, proveWallet, type SignMessage, type WalletProof } from "./proveWallet.ts";

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
  /** Seconds after which the service accepts the request again. Absent if it is a host that didn't respond. */
  retryAfter?: number | undefined;
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
  const { did } = parameters;
  return readAnswer(await postAttestation("", parameters, [normalizeDid(did)], { did }));
}

/**
 * Requests attestations for up to 100 DIDs of one host (`POST /api/verify-and-attest/batch`), of which no two are the
 * same. Returns one response per DID, in the same order; a refusal of the request is that of each DID.
 *
 * @throws The errors of {@link requestAttestation}.
 */
async function requestAttestations(
  parameters: Omit<RequestAttestationParameters, "did"> & { dids: readonly string[] },
): Promise<AttestationResponse[]> {
  const dids = parameters.dids.map(normalizeDid);
  const fetched = await postAttestation("/batch", parameters, dids, { dids });
  const { results } = fetched.answer;
  if (!Array.isArray(results)) return dids.map(() => readAnswer(fetched));
  return dids.map((_, index) => {
    const { response, httpStatus, retryAfter } = results[index] ?? {};
    return readAnswer({ ...fetched, answer: response ?? {}, status: httpStatus, retryAfter });
  });
}

/** Services that required a proof of the wallet, so that a request without one isn't counted each time. */
const provingOrigins = new Set<string>();

/** Sends a request with the proof of the wallet, if the service requires one. */
async function postAttestation(
  path: string,
  parameters: Omit<RequestAttestationParameters, "did">,
  dids: readonly CanonicalDid[],
  subject: { did: string } | { dids: readonly string[] },
): Promise<Fetched> {
  const { baseUrl, timeoutMs = 90_000, signMessage, connectedAddress, requiredSchemas, major } = parameters;
  const ask = (route: string, init?: RequestInit) => fetchObject(baseUrl, route, timeoutMs, init);
  const post = (siwe?: WalletProof) =>
    ask(`/api/verify-and-attest${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...subject, connectedAddress, requiredSchemas, major, siwe }),
    });
  if (!signMessage) return post();
  const readNonce = async () => (await ask("/api/nonce")).answer;
  const proof = { baseUrl, dids, connectedAddress, signMessage, readNonce };
  const { origin } = new URL(baseUrl);
  const cached = await getCachedProof(proof);
  const siwe = cached ?? (provingOrigins.has(origin) ? await proveWallet(proof) : undefined);
  const first = await post(siwe);
  const { code } = first.answer;
  const wantsProof = code === "wallet-proof-required" || (siwe && code === "wallet-proof-invalid");
  if (!wantsProof) return first;
  provingOrigins.add(origin);
  return post(await proveWallet(proof, siwe));
}

type Fetched = {
  answer: Record<string, unknown>;
  requestId: string | null;
  /** HTTP status. */
  status: number;
  /** Value of Retry-After, in seconds. */
  retryAfter: unknown;
};

async function fetchObject(
  baseUrl: string,
  path: string,
  timeoutMs: number,
  init: RequestInit = {},
): Promise<Fetched> {
  return withTimeLimit(baseUrl, timeoutMs, async (signal) => {
    try {
      const url = new URL(path, baseUrl).href;
      const response = await fetch(url, { ...init, signal });
      const answer = await readJsonAnswer(url, response);
      if (typeof answer !== "object" || answer === null)
        throw new TypeError("The response is not an object.");
      const { status, headers } = response;
      const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
      const requestId = headers.get("x-request-id");
      return { answer: answer as Record<string, unknown>, requestId, status, retryAfter };
    } catch (error) {
      throw error instanceof AppRegistryError ? error : new ServiceUnavailableError(baseUrl, error);
    }
  });
}

const time = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function readAnswer({ answer, requestId, status, retryAfter }: Fetched): AttestationResponse {
  const { txHashes, ways } = answer;
  const isHostDown = status === 502;
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
    retryAfter: !isHostDown && Number.isFinite(retryAfter) ? Number(retryAfter) : undefined,
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

/** Maximum number of DIDs per request, and of their characters: a body has at most 16 KiB. */
const MAX_DIDS = 100;
const MAX_CHARACTERS = 6_500;

/** Maximum number of requests to one host that run at once. */
const MAX_RUNNING = 2;

/** Maximum number of times that a DID waits because the service asked for it. */
const MAX_WAITS = 30;

/** Default seconds to wait before an attestation that is not mined yet is requested again. */
const PENDING_SECONDS = 5;

type Waiting = {
  parameters: RequestAttestationParameters;
  waits: number;
  resolve: (response: AttestationResponse) => void;
  reject: (error: unknown) => void;
};

/** Requests that fit into one batch, except for their number. */
type Group = {
  waiting: Waiting[];
  running: number;
  /** True if the host proved nothing in the last batch whose checks ran. */
  isHopeless: boolean;
  /** Number of waits for a limit, during which nothing is sent. */
  limited: number;
};

/** Requests of one host, for the same statements, fit together. */
function toGroupKey({ did, major, requiredSchemas }: RequestAttestationParameters): string {
  return JSON.stringify([getDidHost(did) ?? getDidContract(did)?.chainId, requiredSchemas, major]);
}

/**
 * Creates a function that requests attestations in batches: as soon as one is full, or when nobody else could add to
 * it. Waits and requests again when the service names a time.
 *
 * @param countOpen Returns how many callers may still request an attestation or wait for one.
 * @param onWait Called before requests wait, with their number and the seconds.
 */
export function createAttestationBatches(
  countOpen: () => number,
  onWait: (seconds: number, response: AttestationResponse | undefined) => void,
) {
  const groups = new Map<string, Group>();
  /** Number of requests that wait for others or for the time that the service named, and of those that are sent. */
  let idle = 0;
  let sent = 0;

  const flush = () => {
    const isStalled = idle >= countOpen();
    for (const group of groups.values()) {
      if (group.limited > 0) continue;
      while (group.waiting.length > 0 && group.running < MAX_RUNNING) {
        const batch = takeBatch(group.waiting);
        if (!isStalled && batch.length === group.waiting.length && batch.length < MAX_DIDS) break;
        group.waiting.splice(0, batch.length);
        idle -= batch.length;
        void send(group, batch);
      }
    }
  };

  const enqueue = (group: Group, requests: readonly Waiting[]) => {
    group.waiting.push(...requests);
    flush();
  };

  const waitFor = (group: Group, seconds: number, requests: Waiting[], response?: AttestationResponse) => {
    if (requests.length === 0) return;
    onWait(seconds, response);
    const limits = response?.code === "rate-limited" ? 1 : 0;
    group.limited += limits;
    for (const request of requests) request.waits += 1;
    idle += requests.length;
    setTimeout(() => {
      group.limited -= limits;
      enqueue(group, requests);
    }, seconds * 1_000);
  };

  const send = async (group: Group, batch: Waiting[]) => {
    group.running += 1;
    sent += batch.length;
    const [first] = batch as [Waiting];
    const { did: _, ...parameters } = first.parameters;
    const mayWait = ({ waits }: Waiting) => waits < MAX_WAITS;
    try {
      const responses = await requestAttestations({
        ...parameters,
        dids: batch.map((request) => request.parameters.did),
      });
      const isAsked = ({ code }: AttestationResponse) => code !== "rate-limited" && code !== "timeout";
      if (responses.some(isAsked)) group.isHopeless = responses.every(({ status }) => status === "failed");
      const later = new Map<number, { requests: Waiting[]; response: AttestationResponse }>();
      for (const [index, response] of responses.entries()) {
        const request = batch[index] as Waiting;
        const seconds = response.retryAfter ?? (response.status === "pending" ? PENDING_SECONDS : undefined);
        if (seconds === undefined || !mayWait(request) || (group.isHopeless && !isAsked(response))) {
          request.resolve(response);
        } else {
          const same = later.get(seconds) ?? { requests: [], response };
          later.set(seconds, { ...same, requests: [...same.requests, request] });
        }
      }
      for (const [seconds, { requests, response }] of later) waitFor(group, seconds, requests, response);
    } catch (error) {
      const isAway = error instanceof AppRegistryError && error.retryable;
      const again = isAway ? batch.filter(mayWait) : [];
      for (const request of batch) if (!again.includes(request)) request.reject(error);
      waitFor(group, PENDING_SECONDS, again);
    } finally {
      group.running -= 1;
      sent -= batch.length;
      flush();
    }
  };

  return {
    flush,
    countWaiting: () => idle + sent,
    requestAttestation: (parameters: RequestAttestationParameters) =>
      new Promise<AttestationResponse>((resolve, reject) => {
        const key = toGroupKey(parameters);
        const group = groups.get(key) ?? { waiting: [], running: 0, isHopeless: false, limited: 0 };
        groups.set(key, group);
        idle += 1;
        enqueue(group, [{ parameters, waits: 0, resolve, reject }]);
      }),
  };
}

/** Returns the first requests that fit into one body. */
function takeBatch(waiting: readonly Waiting[]): Waiting[] {
  let characters = 0;
  const end = waiting.findIndex(({ parameters: { did } }, index) => {
    characters += did.length;
    return index === MAX_DIDS || characters > MAX_CHARACTERS;
  });
  return waiting.slice(0, end < 0 ? undefined : end);
}
