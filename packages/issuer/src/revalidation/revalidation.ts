import type { GuardedFetch } from "@app-registry/outbound";
import { createQueueWorker, type Job, type JobOutcome } from "@app-registry/outbound/internal";
import { AppRegistryError, type CanonicalDid } from "@app-registry/sdk";
import { getLatestBlockNumber, resolverContract } from "@app-registry/sdk/internal";
import { readContract } from "viem/actions";
import { type IssuerContext, NotAnIssuerError } from "../attest/issuerContext.ts";
import { attestationSchemas } from "../attest/verifyAndAttestSchema.ts";
import { wrapRpcErrors } from "../proof/contractReads.ts";
import type { Sender } from "../sending/sender.ts";
import { type CheckClock, DAY, scheduleFirstCheck } from "./checkSchedule.ts";
import { type AttestationEvents, readAttestationEvents } from "./readAttestationEvents.ts";
import { revalidate } from "./revalidate.ts";
import {
  createCheckJob,
  parseJobKey,
  type RevalidationCounts,
  type RevalidationEvent,
  type RevalidationStore,
  toJobKey,
} from "./revalidationStore.ts";

export type RevalidationOptions = {
  /** Maximum time between two checks of an attestation, in milliseconds. Default 30 days. */
  period?: number;
  /** Minimum pause between two requests to a host, in milliseconds. Default 10,000. */
  hostSpacing?: number;
  /** Interval between two passes, in milliseconds. Default 30,000. */
  passInterval?: number;
  /** Maximum number of attestations to check per pass. Default 40. */
  passLimit?: number;
};

/** Recurring checks of the issuer's attestations. */
export type Revalidation = {
  /** Runs a pass now and then one every `passInterval`. */
  start(): void;
  /**
   * Runs one pass: reads new attestations from the chain, and checks those that are due. Leaves attestations beyond
   * `passLimit`, and those whose host was requested too recently, to later passes.
   * @returns False if another process is running a pass.
   * @throws {AppRegistryError} if the chain or the store does not respond. The next pass continues from there.
   */
  runDue(): Promise<boolean>;
  /** Counts the attestations and their checks. @throws {IssuerStoreError} if the store does not respond. */
  count(): Promise<RevalidationCounts>;
  /** Stops further passes. A running pass completes. */
  close(): void;
};

/** Maximum number of concurrent checks. */
const CONCURRENCY = 4;

/** Creates the revalidation of an issuer's attestations. `lock` serializes tasks per DID, including requests. */
export function createRevalidation(
  issuing: IssuerContext,
  sender: Sender,
  store: RevalidationStore,
  options: RevalidationOptions & {
    lock: <T>(did: CanonicalDid, task: () => Promise<T>) => Promise<T>;
    onEvent: (event: RevalidationEvent) => void;
  },
): Revalidation {
  const { period = 30 * DAY, hostSpacing = 10_000, passInterval = 30_000, passLimit = 40 } = options;
  const { lock } = options;
  const { now } = issuing;
  const onEvent = dedupeEvents(options.onEvent);
  const resolver = issuing.deployment.contracts.ResolverWithStore.address;

  /** State of the latest pass: `renews` and `lifetime` as read from the chain, and its errors. */
  let renews = false;
  let lifetime = 0;
  let failures: unknown[] = [];
  const readClock = () => ({ now: now(), period, lifetime });

  const check = async (job: Job, guardedFetch: GuardedFetch): Promise<JobOutcome> => {
    const attestation = await store.find(parseJobKey(job));
    if (!attestation) return "gone";
    const { did } = attestation;
    // Retry in a day: the DID becomes known when it is registered or requested.
    if (did === undefined) return { dueAt: now() + DAY, failures: job.failures };
    const context = { issuing: { ...issuing, guardedFetch }, job, sender, store, renews, onEvent };
    return lock(did, () => revalidate(context, { ...attestation, did }, readClock));
  };
  const worker = createQueueWorker({
    ...{
      queue: store.queue,
      fetcherOf: () => issuing.guardedFetch,
      work: check,
      concurrency: CONCURRENCY,
      now,
    },
    ...{ spacing: hostSpacing, longestPause: 7 * DAY, longestWait: Math.max(period, 7 * DAY) },
    onError: (error) => failures.push(error),
  });
  /** Signal that never aborts, so that a running pass completes. */
  const never = new AbortController().signal;

  const pass = async () => {
    await sender.recovered();
    const { client } = issuing;
    const [maxTtl, state] = await Promise.all([
      wrapRpcErrors(
        readContract(client.publicClient, { ...resolverContract(client), functionName: "maxTTL" }),
      ),
      client.getIssuer(issuing.issuer),
    ]);
    if (state.status !== "active") {
      const refusal = new NotAnIssuerError(state, resolver);
      if (state.status !== "retired") throw refusal;
      onEvent({ event: "issuer retired", reason: refusal.shortMessage });
    }
    renews = state.status === "active" && issuing.attesting.mode === "send";
    lifetime = Number(maxTtl) * 1_000;
    failures = [];
    await syncAttestations(issuing, store, readClock());
    await worker.drain(never, passLimit);
    if (failures.length > 0) throw failures[0];
    return true;
  };

  const runDue = async () => (await store.unlessTaken(pass)) ?? false;
  let isInterrupted = false;
  const tick = async () => {
    try {
      // Don't reset the flag if another process runs the pass: then this one did not reach the chain.
      if (await runDue()) isInterrupted = false;
    } catch (error) {
      // Omit the message of an unexpected error, which may contain an RPC's URL with its key.
      const name = error instanceof Error ? error.name : typeof error;
      const reason = error instanceof AppRegistryError ? error.shortMessage : name;
      // Report an unavailable chain or database only once, because every pass fails until it is available.
      if (!isInterrupted) onEvent({ event: "revalidation interrupted", reason });
      isInterrupted = true;
    }
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      if (timer) return;
      void tick();
      timer = setInterval(() => void tick(), passInterval);
      timer.unref();
    },
    runDue,
    async count() {
      const at = { now: now(), overdueBefore: now() - DAY, kinds: attestationSchemas };
      const [counts, { due, overdue, failing: unanswered }] = [
        await store.count(),
        await store.queue.count(at),
      ];
      return { ...counts, due, overdue, unanswered };
    },
    close: () => clearInterval(timer),
  };
}

/** Returns an `onEvent` that reports an unsent renewal or revocation once per attestation, until it is sent. */
function dedupeEvents(onEvent: (event: RevalidationEvent) => void): (event: RevalidationEvent) => void {
  const told = new Set<string>();
  return (event) => {
    if (event.event === "revalidation interrupted") return onEvent(event);
    const isRetired = event.event === "issuer retired";
    const of = isRetired ? event.event : `${event.schema} ${event.did} ${event.subject}`;
    if (isRetired || event.event === "attestation not renewed" || event.event === "attestation not revoked") {
      if (told.has(of)) return;
      told.add(of);
    } else if (event.event !== "attestation checked") {
      told.delete(of);
    }
    onEvent(event);
  };
}

/** Number of blocks per step. After a restart, the next process continues after the last complete step. */
const BLOCKS_PER_STEP = 50_000n;

/** Number of blocks to read again, because a reorganization may have replaced them. */
const REORG_BLOCKS = 20n;

/**
 * Maximum age of a proof of a DID, a block or a challenge that makes controllers due immediately, in milliseconds. It
 * exceeds a day, because a signed attestation may be submitted up to a day later.
 */
const RECENT_PROOF_AGE = 2 * DAY;

/**
 * Updates the store from the chain: attestations written and revoked since the last call, by any process or by hand,
 * and the DIDs of registered services. A recent proof of a DID makes its other controllers due immediately; a recent
 * block or challenge makes both accounts due.
 * @throws {RpcUnavailableError} if the chain does not respond. The next call continues from there.
 */
async function syncAttestations(
  context: Pick<IssuerContext, "client" | "issuer" | "publicClient" | "deployment">,
  store: RevalidationStore,
  clock: CheckClock,
): Promise<void> {
  const first = BigInt(context.deployment.deployBlock);
  const [last, cursor] = await Promise.all([getLatestBlockNumber(context), store.readCursor()]);
  const again = cursor === undefined ? first : cursor + 1n - REORG_BLOCKS;
  let fromBlock = again < first ? first : again;
  while (fromBlock <= last) {
    const end = fromBlock + BLOCKS_PER_STEP - 1n;
    const toBlock = end < last ? end : last;
    await saveAttestationEvents(await readAttestationEvents(context, { fromBlock, toBlock }), store, clock);
    await store.writeCursor(toBlock);
    fromBlock = toBlock + 1n;
  }
}

async function saveAttestationEvents(
  { attestations, registeredDids, disputes }: AttestationEvents,
  store: RevalidationStore,
  clock: CheckClock,
): Promise<void> {
  for (const did of registeredDids) await store.saveDid(did);
  const newcomers: Parameters<RevalidationStore["listOthers"]>[0][] = [];
  for (const { statedAt, expiresAt, ...attestation } of attestations) {
    if (expiresAt === undefined) {
      if (await store.remove(attestation, attestation.block)) await store.queue.remove(toJobKey(attestation));
      continue;
    }
    const known = await store.find(attestation);
    if (known && known.block >= attestation.block) continue;
    const heldAt = statedAt * 1_000;
    // Enqueue first: if the process ends before `add`, the next one reads the event again.
    await store.queue.enqueue([
      createCheckJob(attestation, scheduleFirstCheck(heldAt, expiresAt * 1_000, clock)),
    ]);
    await store.add({ ...attestation, heldAt, failedAt: undefined });
    if (known || attestation.schema !== "did-ownership" || clock.now - heldAt > RECENT_PROOF_AGE) continue;
    const { didHash, subject } = attestation;
    newcomers.push({ didHash, except: subject, heldBefore: heldAt });
  }
  for (const newcomer of newcomers) {
    const others = await store.listOthers(newcomer);
    await store.queue.enqueue(others.map((key) => createCheckJob(key, clock.now)));
  }
  for (const { didHash, accounts, at } of disputes) {
    if (clock.now - at * 1_000 > RECENT_PROOF_AGE) continue;
    for (const subject of accounts) {
      const key = { schema: "did-ownership", didHash, subject } as const;
      const known = await store.find(key);
      // Skip an event that a check has followed, because the same event is read several times.
      const isDue = known && Math.max(known.heldAt, known.failedAt ?? 0) < at * 1_000;
      if (isDue) await store.queue.enqueue([createCheckJob(key, clock.now)]);
    }
  }
}
