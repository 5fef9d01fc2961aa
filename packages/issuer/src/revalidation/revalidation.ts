import type { GuardedFetch } from "@app-registry/outbound";
import { createQueueWorker, type Job, type JobOutcome } from "@app-registry/outbound/internal";
import { AppRegistryError, type CanonicalDid } from "@app-registry/sdk";
import { resolverContract } from "@app-registry/sdk/internal";
import { readContract } from "viem/actions";
import { wrapRpcErrors } from "../contractReads.ts";
import type { IssuerContext, RevalidationOptions } from "../issuerContext.ts";
import { NotAnIssuerError } from "../notAnIssuerError.ts";
import type { Sender } from "../sending/sender.ts";
import { revalidate } from "./revalidate.ts";
import type { RevalidationEvent } from "./revalidationEvent.ts";
import { OVERDUE_AFTER, type RevalidationCounts, type RevalidationStore } from "./revalidationStore.ts";
import { syncAttestations } from "./syncAttestations.ts";
import { parseJobKey } from "./trackedAttestation.ts";

/** Checks the issuer's attestations again and again. */
export type Revalidation = {
  /** Makes a pass now and then one every `passInterval`. */
  start(): void;
  /**
   * Makes one pass: learns from the chain what was attested, and checks what is due. Attestations beyond the limit of a
   * pass, or of a host that was asked a moment ago, are left to the next ones.
   * @returns false when another process makes a pass now.
   * @throws AppRegistryError when the chain or the store does not answer; nothing is lost.
   */
  runDue(): Promise<boolean>;
  /** Says what is before it now. @throws IssuerStoreError when the store does not answer. */
  count(): Promise<RevalidationCounts>;
  /** Ends the passes; one that runs comes to its end. */
  close(): void;
};

const DAY = 86_400_000;

/** Checks that run at the same time. */
const CONCURRENCY = 4;

/** Revalidates what an issuer attested. `lock` runs one task for a DID at a time, requests included. */
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

  /** What the last pass read of the chain, and what failed in it. */
  let renews = false;
  let lifetime = 0;
  let failures: unknown[] = [];
  const readClock = () => ({ now: now(), period, lifetime });

  const check = async (job: Job, guardedFetch: GuardedFetch): Promise<JobOutcome> => {
    const attestation = await store.find(parseJobKey(job));
    if (!attestation) return "gone";
    const { did } = attestation;
    // Its DID may become known.
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
  /** A pass that runs comes to its end. */
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
      // A pass that is left to another one says nothing about whether the chain answers.
      if (await runDue()) isInterrupted = false;
    } catch (error) {
      // The message of an unforeseen error may hold an RPC's URL with its key.
      const name = error instanceof Error ? error.name : typeof error;
      const reason = error instanceof AppRegistryError ? error.shortMessage : name;
      // A chain or a database that is away is away at every pass; that is told once.
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
      const at = { now: now(), overdueBefore: now() - OVERDUE_AFTER };
      const [counts, { due, overdue, failing: unanswered }] = [
        await store.count(),
        await store.queue.count(at),
      ];
      return { ...counts, due, overdue, unanswered };
    },
    close: () => clearInterval(timer),
  };
}

/** What can't be sent is tried again and again; that is told once of an attestation, until something else is. */
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
