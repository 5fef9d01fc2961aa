import { setTimeout as sleep } from "node:timers/promises";
import { type Database, DOCUMENT_QUEUE, PROBE_KIND, type Schemas } from "@app-registry/index/workerTables";
import { type GuardedFetch, getHost, PROBER } from "@app-registry/outbound";
import {
  createQueueWorker,
  type Job,
  type JobOutcome,
  type PoliteFetch,
  type RetryPolicy,
  retryDelay,
  withJitter,
} from "@app-registry/outbound/internal";
import { LOCAL_CHAIN_ID } from "@app-registry/sdk";
import type { Environment } from "@app-registry/server/environment";
import { type CheckedDocument, checkDocument, type DocumentReader } from "./checkDocument.ts";
import { documentStore } from "./documents.ts";
import { createProber, type ProbedEvent, type ProberChain } from "./prober.ts";
import { type DueRecord, documentQueue, recordStore } from "./recordStore.ts";
import { createRecordFinder, type FoundRecord } from "./records.ts";

/** Intervals and limits of the worker's requests, in seconds unless a field names another unit. */
export type WorkerSettings = {
  /** Interval between queries for new records. */
  tick: number;
  /** Pause between the end of a request to a host and the next request to it. */
  hostGap: number;
  /** Most simultaneous requests, each to another host. */
  concurrency: number;
  /** Interval between checks of a document that was served. */
  recheck: number;
  /** Delays after consecutive failures. */
  retries: RetryPolicy;
  /** Interval between the starts of two scans of all records. */
  walk: number;
  /** Token ids in one step of a scan. */
  walkStep: number;
};

const DAY = 86_400;

const publicSettings: Omit<WorkerSettings, "concurrency"> = {
  tick: 1,
  hostGap: 2,
  recheck: DAY,
  retries: { first: 60, longest: DAY / 4 },
  walk: 600,
  walkStep: 5_000,
};

/** Returns the settings of a worker. Delays are short on the local chain, whose only host is the developer's machine. */
export function getWorkerSettings({
  chainId,
  workerConcurrency: concurrency,
}: Pick<Environment, "chainId" | "workerConcurrency">): WorkerSettings {
  const settings = { ...publicSettings, concurrency };
  return chainId === LOCAL_CHAIN_ID
    ? { ...settings, tick: 0.25, hostGap: 0.1, retries: { first: 5, longest: 60 } }
    : settings;
}

export type WorkerEvent =
  | { type: "checked"; record: DueRecord; host: string; checked: CheckedDocument; seconds: number }
  | ProbedEvent
  | { type: "failed"; error: unknown };

export type WorkerParameters = {
  database: Database;
  schemas: Schemas;
  guardedFetch: GuardedFetch;
  reader: DocumentReader;
  /** Fetcher and chain reader for probes. If omitted, no service is probed. */
  prober?: { guardedFetch: GuardedFetch; chain: ProberChain };
  settings: WorkerSettings;
  /** Unix seconds. */
  now: () => number;
  /** Returns 0 to 1. */
  random: () => number;
  onEvent: (event: WorkerEvent) => void;
};

/** Cap on a host's `Retry-After`, in seconds. */
const LONGEST_RETRY_AFTER = 86_400;

/** Time after a change, in seconds, in which records of the same block time may still appear. */
const SAME_BLOCK_WINDOW_SECONDS = 10;

/**
 * Creates the worker that reads documents that are only at their dataUrl, and probes services. Any number of workers
 * may share the tables, while one of them at a time looks for records. It can be stopped at any moment without losing
 * results.
 */
export function createWorker(parameters: WorkerParameters) {
  const { database, schemas, guardedFetch, reader, settings, now, random, onEvent } = parameters;
  const finder = createRecordFinder(database, schemas);
  const records = recordStore(database, schemas);
  const documents = documentStore(database, schemas);
  const queue = documentQueue(database, schemas);
  const prober =
    parameters.prober &&
    createProber({
      ...{ database, schemas, queue, chain: parameters.prober.chain, reader, now, onEvent },
      confirmAfter: settings.retries.first,
    });
  const worker = createQueueWorker({
    ...{ queue, work, concurrency: settings.concurrency },
    fetcherOf: (kind) => (kind === PROBE_KIND && parameters.prober?.guardedFetch) || guardedFetch,
    ...{ spacing: settings.hostGap, longestPause: LONGEST_RETRY_AFTER, hostRetries: settings.retries },
    longestWait: Math.max(settings.recheck, LONGEST_RETRY_AFTER, PROBER.longestInterval + PROBER.interval),
    ...{ now, second: 1, random },
    onError: (error) => onEvent({ type: "failed", error }),
  });
  let lastChange: number | null = null;
  let lookUntil = 0;
  let walkedTo: number | undefined = 0;
  let nextWalk = 0;
  /** The didHash up to which documents were pruned. */
  let prunedTo = "";

  /** Queues and stores records, and labels those whose document is already stored. */
  async function enqueueRecords(found: readonly FoundRecord[]): Promise<void> {
    if (found.length === 0) return;
    // Queue first: if the process ends before the next statement, the next scan finds the records again.
    await queue.enqueue(
      found.map(({ tokenId, dataUrl, status }) => {
        return {
          kind: DOCUMENT_QUEUE.kind,
          key: tokenId,
          host: getHost(dataUrl),
          priority: status === 0 ? 0 : 1,
          dueAt: now(),
        };
      }),
    );
    await records.add(found);
    for (const { record, content } of await documents.keptFor(found)) {
      await documents.label(record, await reader.label(content, record), now());
    }
  }

  /** Queues recently changed records. */
  async function scanRecentChanges(): Promise<void> {
    const change = await finder.lastChange();
    if (change !== lastChange) lookUntil = now() + SAME_BLOCK_WINDOW_SECONDS;
    lastChange = change;
    if (change === null || now() > lookUntil) return;
    const found = await finder.recent(change);
    await enqueueRecords(found);
    const isAll = (await prober?.look(change)) ?? true;
    if (found.length === finder.maxFound || !isAll) lookUntil = now() + SAME_BLOCK_WINDOW_SECONDS;
  }

  /**
   * Scans the next token ids for records that the queries for recent changes missed, and deletes rows without a record.
   * A scan that fails continues where it was.
   */
  async function scanAllRecords(): Promise<void> {
    if (walkedTo === undefined) {
      if (now() < nextWalk) return;
      walkedTo = 0;
    }
    const after = walkedTo;
    const until = after + settings.walkStep;
    const found = await finder.between(after, until);
    await enqueueRecords(found);
    const last = found.at(-1);
    const documentsTo = last && found.length === finder.maxFound ? Number(last.tokenId) : until;
    const scannedTo = Math.min(documentsTo, (await prober?.walk(after, until)) ?? until);
    const isEnd = scannedTo >= (await finder.lastTokenId());
    const range = { after, until: isEnd ? Number.POSITIVE_INFINITY : scannedTo };
    await documents.prune(range);
    await prober?.prune(range);
    prunedTo = await documents.pruneDocuments(prunedTo, now());
    if (isEnd) await prober?.pruneDays();
    walkedTo = isEnd ? undefined : scannedTo;
    if (isEnd) nextWalk = now() + settings.walk;
  }

  /** Runs a job of either kind. Drops probes if this worker has no prober. */
  function work(job: Job, polite: PoliteFetch, signal: AbortSignal): Promise<JobOutcome> {
    if (job.kind !== PROBE_KIND) return check(job, polite, signal);
    return prober ? prober.probe(job, polite, signal) : Promise.resolve("gone");
  }

  /** Checks a record's dataUrl and saves the result. */
  async function check(job: Job, polite: GuardedFetch, signal: AbortSignal): Promise<JobOutcome> {
    const record = await records.current(job.key);
    if (!record) return "gone";
    const start = now();
    const checked = await checkDocument(record, { guardedFetch: polite, reader }, signal);
    const end = now();
    const failures = (await keep(record, checked)) ? 0 : job.failures + 1;
    await records.saveCheck(record, checked, end);
    onEvent({ type: "checked", record, host: getHost(record.dataUrl), checked, seconds: end - start });
    const wait =
      failures === 0 ? withJitter(settings.recheck, random) : retryDelay(failures, settings.retries, random);
    return { dueAt: end + wait, failures, priority: 2, isHostTrouble: checked.isHostTrouble };
  }

  /** Stores the recorded document. Returns false if it was not served or the database rejects it. */
  async function keep(record: DueRecord, { kept }: CheckedDocument): Promise<boolean> {
    if (!kept) return false;
    return documents.keep(record, kept, now()).then(
      () => true,
      (error: unknown) => {
        onEvent({ type: "failed", error });
        return false;
      },
    );
  }

  /** Queues new and changed records. */
  async function look(): Promise<void> {
    if (!(await finder.isReady())) return;
    await scanRecentChanges();
    await scanAllRecords();
  }

  /** Starts the checks that are due. */
  async function begin(signal: AbortSignal): Promise<void> {
    if (await finder.isReady()) await worker.begin(signal);
  }

  return {
    look,
    begin,
    /** Resolves when all running checks have ended. */
    settled: worker.settled,
    /** Runs checks until `signal` is aborted. Reports failures to `onEvent` and retries. Never throws. */
    run: (signal: AbortSignal) => worker.run(signal, settings.tick, () => begin(signal)),
    /** Looks for records until `signal` is aborted. Reports failures to `onEvent` and retries. Never throws. */
    async runLook(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await look().catch((error: unknown) => onEvent({ type: "failed", error }));
        await sleep(settings.tick * 1_000, undefined, { signal, ref: false }).catch(() => undefined);
      }
    },
  };
}
