import { getDidContract, getDidHost } from "../didMethods.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import {
  type AttestationResponse,
  type RequestAttestationParameters,
  requestAttestations,
} from "./requestAttestation.ts";

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
