import { setTimeout as sleep } from "node:timers/promises";
import { type GuardedFetch, HostBusyError } from "@app-registry/outbound";
import { createPoliteFetch, type HostTurns } from "@app-registry/outbound/internal";
import { type CheckedDocument, checkDocument } from "./checkDocument.ts";
import type { Database } from "./database.ts";
import type { DocumentReader } from "./documentReader.ts";
import { documentStore } from "./documents.ts";
import { type Claim, type DueRecord, recordQueue } from "./queue.ts";
import { type FoundRecord, findRecords } from "./records.ts";
import { retryDelay, type WorkerSettings, withJitter } from "./settings.ts";
import type { Schemas } from "./tables.ts";

/** What the worker tells of itself. */
export type WorkerEvent =
  | { type: "checked"; record: DueRecord; host: string; checked: CheckedDocument; seconds: number }
  | { type: "failed"; error: unknown };

export type WorkerParameters = {
  database: Database;
  schemas: Schemas;
  guardedFetch: GuardedFetch;
  reader: DocumentReader;
  settings: WorkerSettings;
  /** Unix seconds. */
  now: () => number;
  /** 0 to 1. */
  random: () => number;
  onEvent: (event: WorkerEvent) => void;
};

/** Longest wait that a host's `Retry-After` is taken for, in seconds. */
const LONGEST_RETRY_AFTER = 86_400;

/** Seconds after a change in which further records of the same block time may still appear. */
const SETTLING = 10;

/**
 * The worker that reads the documents which are only at their dataUrl. It alone may write to its tables.
 *
 * It never asks a host twice at once, nor again before `hostGap` has passed, whether a dataUrl names the host or a
 * redirect leads to it, and takes the hosts in turn; nothing is lost when it is stopped at any moment.
 */
export function createWorker(parameters: WorkerParameters) {
  const { database, schemas, guardedFetch, reader, settings, now, random, onEvent } = parameters;
  const finder = findRecords(database, schemas);
  const queue = recordQueue(database, schemas);
  const documents = documentStore(database, schemas);
  const running = new Map<string, Promise<void>>();
  const politeness = { spacing: settings.hostGap, longestPause: LONGEST_RETRY_AFTER, now, second: 1 };
  const turns: HostTurns = {
    ...queue.turns,
    takeHost: async (host, ...times) => !running.has(host) && queue.turns.takeHost(host, ...times),
  };
  let lastChange: number | null = null;
  let lookUntil = 0;
  let walkedTo: number | undefined = 0;
  let nextWalk = 0;

  /** Takes in the records given; those whose document was kept before are labelled by it at once. */
  async function takeIn(records: readonly FoundRecord[]): Promise<void> {
    if (records.length === 0) return;
    await queue.add(records, now());
    for (const { record, content } of await documents.keptFor(records)) {
      await documents.label(record, await reader.label(content, record), now());
    }
  }

  /** Takes in what the chain changed lately. */
  async function look(): Promise<void> {
    const change = await finder.lastChange();
    if (change !== lastChange) lookUntil = now() + SETTLING;
    lastChange = change;
    if (change === null || now() > lookUntil) return;
    const found = await finder.recent(change);
    if (found.length === finder.maxFound) lookUntil = now() + SETTLING;
    await takeIn(found);
  }

  /** One step of the walk over every record, which finds whatever a look missed. */
  async function walk(): Promise<void> {
    if (walkedTo === undefined) {
      if (now() < nextWalk) return;
      walkedTo = 0;
    }
    const until = walkedTo + settings.walkStep;
    const found = await finder.between(walkedTo, until);
    await takeIn(found);
    const last = found.at(-1);
    walkedTo = last && found.length === finder.maxFound ? Number(last.tokenId) : until;
    if (walkedTo < (await finder.lastTokenId())) return;
    await documents.prune(now());
    walkedTo = undefined;
    nextWalk = now() + settings.walk;
  }

  async function check({ host, hostFailures }: Claim, record: DueRecord, signal: AbortSignal): Promise<void> {
    if (!(await queue.isCurrent(record))) {
      await queue.remove(record);
      return queue.release(host, now(), hostFailures);
    }
    const start = now();
    const checked = await ask(host, record, signal);
    const end = now();
    if (!checked) {
      const failures = record.failures + 1;
      await queue.putOff(record, end + retryDelay(failures, settings, random), failures);
      return queue.release(host, end, hostFailures);
    }
    const failures = (await keep(record, checked)) ? 0 : record.failures + 1;
    const delay =
      failures === 0 ? withJitter(settings.recheck, random) : retryDelay(failures, settings, random);
    await queue.settle(record, { checked, checkedAt: end, nextAt: end + delay, failures });
    const troubles = checked.isHostTrouble ? hostFailures + 1 : 0;
    await queue.release(host, end + (troubles && retryDelay(troubles, settings, random)), troubles);
    onEvent({ type: "checked", record, host, checked, seconds: end - start });
  }

  /** Asks a record's dataUrl and whoever its redirects lead to; undefined when one of them is not to be asked now. */
  async function ask(
    host: string,
    record: DueRecord,
    signal: AbortSignal,
  ): Promise<CheckedDocument | undefined> {
    const polite = createPoliteFetch(guardedFetch, { store: turns, ...politeness, taken: host });
    return checkDocument(record, { guardedFetch: polite, reader }, signal).catch((error: unknown) => {
      if (error instanceof HostBusyError) return undefined;
      throw error;
    });
  }

  /** Keeps the recorded document when it was served; false when there is none, or none that the database takes. */
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

  /** Begins checks on the hosts that wait longest, up to the number that may be under way. */
  async function begin(signal: AbortSignal): Promise<void> {
    const free = settings.concurrency - running.size;
    if (free <= 0 || signal.aborted) return;
    for (const claim of await queue.claim(now(), free, [...running.keys()], settings.hostGap)) {
      const { host, hostFailures, record } = claim;
      const work = record ? check(claim, record, signal) : queue.release(host, now(), hostFailures);
      const ended = work
        .catch((error: unknown) => {
          if (!signal.aborted) onEvent({ type: "failed", error });
        })
        .finally(() => running.delete(host));
      running.set(host, ended);
    }
  }

  /** One turn: takes in new records, and begins the checks that are due. */
  async function step(signal: AbortSignal): Promise<void> {
    if (!(await finder.isReady())) return;
    await look();
    await walk();
    await begin(signal);
  }

  /** Until the next turn, each check that ends makes room for another. */
  async function fill(signal: AbortSignal): Promise<void> {
    let isOver = false;
    const tick = sleep(settings.tick * 1_000, undefined, { signal, ref: false })
      .catch(() => undefined)
      .then(() => {
        isOver = true;
      });
    while (!isOver) {
      await Promise.race([tick, ...running.values()]);
      if (!isOver) await begin(signal);
    }
  }

  return {
    step,
    /** Settles when every check under way has ended. */
    settled: async () => void (await Promise.all(running.values())),
    /** Works until `signal` is aborted; whatever fails is told and tried again. Never throws. */
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        for (const turn of [step, fill]) {
          await turn(signal).catch((error: unknown) => {
            if (!signal.aborted) onEvent({ type: "failed", error });
          });
        }
      }
      await Promise.all(running.values());
    },
  };
}
