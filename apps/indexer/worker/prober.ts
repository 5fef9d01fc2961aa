import { type Database, PROBE_KIND, type Schemas } from "@app-registry/index/workerTables";
import { type GuardedFetch, GuardedFetchError, getHost, PROBER, probeService } from "@app-registry/outbound";
import {
  type BudgetLimit,
  createRobotsCache,
  getProbeBudget,
  type Job,
  type JobOutcome,
  type JobQueue,
  type PoliteFetch,
  PostponedError,
  scheduleNextProbe,
  withRobotsTxt,
} from "@app-registry/outbound/internal";
import {
  type EndpointProbe,
  type Metadata,
  type ServiceProbe,
  type ToolComparison,
  visibleText,
} from "@app-registry/sdk";
import { getDidHost } from "@app-registry/sdk/internal";
import type { Hex } from "viem";
import type { DocumentReader } from "./checkDocument.ts";
import { type ProbedRecord, type ProbeEvent, probeStore, type UnqueuedRecord } from "./probeStore.ts";

export type ProberChain = {
  readStoredDocument(pointer: Hex): Promise<string>;
  /** Returns true if a contract has code, or `undefined` if this process can't read its chain. */
  hasCode(contract: { chainId: number; address: string }): Promise<boolean | undefined>;
};

export type ProbedEvent = {
  type: "probed";
  record: ProbedRecord;
  probe: ServiceProbe;
  events: readonly ProbeEvent[];
};

type ProberParameters = {
  database: Database;
  schemas: Schemas;
  queue: JobQueue;
  chain: ProberChain;
  reader: Pick<DocumentReader, "metadata">;
  /** Delay before the second request to a service that stops responding, in seconds. */
  confirmAfter: number;
  /** Unix seconds. */
  now: () => number;
  onEvent: (event: ProbedEvent) => void;
};

/** Overlap of two queries for changed records, in seconds of block time. Covers reorganizations. */
const REORG_LOOKBACK_SECONDS = 300;

/**
 * Creates the prober, which checks once a day, at each service's own time, that the services of Active records respond
 * and match the registered version. Its jobs share the worker's queue with those of documents.
 */
export function createProber({
  database,
  schemas,
  queue,
  chain,
  reader,
  confirmAfter,
  now,
  onEvent,
}: ProberParameters) {
  const store = probeStore(database, schemas);
  const robots = createRobotsCache(now);
  const milliseconds = () => Math.round(now() * 1_000);

  async function takeIn(found: readonly UnqueuedRecord[], dueAt: (record: UnqueuedRecord) => number) {
    if (found.length === 0) return;
    // Queue first: if the process ends before the next statement, the next scan finds the records again.
    await queue.enqueue(
      found.map((record) => ({
        ...{ kind: PROBE_KIND, key: record.tokenId, host: getFirstHost(record), priority: 3 },
        dueAt: dueAt(record),
      })),
    );
    await store.markQueued(found);
  }

  /** Throws PostponedError if the daily budget of the host, its site or the holder is used up. */
  async function spend({ didHash }: ProbedRecord, items: readonly BudgetLimit[]): Promise<void> {
    const refused = await store.spendBudget(items, now());
    if (refused === undefined) return;
    throw new PostponedError(
      `The daily check limit for ${refused} is used up.`,
      scheduleNextProbe(didHash, now(), 0),
    );
  }

  async function readDocument(record: ProbedRecord, { fetchDocument }: GuardedFetch) {
    const { pointer, dataUrl, kept } = record;
    const stored = pointer === null ? kept : await chain.readStoredDocument(pointer);
    return reader.metadata(stored ?? (await fetchDocument(dataUrl)).text, record);
  }

  async function ask(record: ProbedRecord, polite: PoliteFetch): Promise<ServiceProbe> {
    const { did, interfaces, owner, probedAt } = record;
    const secondsSinceLast = probedAt === null ? undefined : now() - probedAt;
    let ofHolder: BudgetLimit[] = [{ subject: `holder ${owner}`, most: PROBER.perHolder }];
    polite.guard(async (host) => {
      const limits = getProbeBudget(did, host, secondsSinceLast);
      if (limits.length === 0) return;
      await spend(record, [...limits, ...ofHolder]);
      ofHolder = [];
    });
    const guardedFetch = withRobotsTxt(polite, { token: PROBER.token, cache: robots });
    const unread = (reason: string): ServiceProbe => ({
      ...{ outcome: "unknown", drift: "not-comparable", probedAt: milliseconds(), reason, endpoints: [] },
    });
    let metadata: Metadata | undefined;
    try {
      metadata = await readDocument(record, guardedFetch);
    } catch (error) {
      if (!(error instanceof GuardedFetchError)) throw error;
      return unread(`The registered document could not be read: ${error.shortMessage}`);
    }
    if (metadata === undefined) return unread("Its host doesn't serve the registered document.");
    return probeService(
      { did, metadata, interfaces },
      { guardedFetch, hasCode: chain.hasCode, now: milliseconds },
    );
  }

  return {
    /** Queues an immediate probe of recently changed records. Returns false if there may be more. */
    async look(lastChange: number): Promise<boolean> {
      const found = await store.changedSince(lastChange - REORG_LOOKBACK_SECONDS);
      await takeIn(found, now);
      return found.length < store.maxFound;
    },

    /**
     * Queues the unqueued records with token ids above `after`, up to `last`, each for its time of day.
     * @returns the last token id that was covered.
     */
    async walk(after: number, last: number): Promise<number> {
      const found = await store.findInRange(after, last);
      await takeIn(found, ({ didHash }) => scheduleNextProbe(didHash, now() - PROBER.interval / 2, 0));
      return found.length < store.maxFound ? last : Number(found.at(-1)?.tokenId);
    },

    prune: store.prune,
    pruneDays: () => store.pruneDays(now()),

    /** Probes a service and saves the result, if it is not the first failure. @throws PostponedError, HostBusyError */
    async probe(job: Job, polite: PoliteFetch, signal: AbortSignal): Promise<JobOutcome> {
      const record = await store.current(job.key);
      if (!record) return "gone";
      const asked = await ask(record, polite).finally(() => polite.throwIfInterrupted());
      const probe = truncateProbe(asked);
      signal.throwIfAborted();
      const at = now();
      const failures = isDeadOutcome(probe) ? job.failures + 1 : 0;
      const next = { failures, priority: 3, isHostTrouble: isUnreachable(asked, job.host) };
      // The first failure may be that of a network or of this process, so it is only recorded if the second probe fails.
      if (failures === 1) return { ...next, dueAt: at + confirmAfter };
      const events = toProbeEvents(record, probe);
      await store.saveResult(record, probe, { dueAt: job.dueAt, at, events });
      onEvent({ type: "probed", record, probe, events });
      return { ...next, dueAt: scheduleNextProbe(record.didHash, at, Math.max(0, failures - 1)) };
    },
  };
}

const isDeadOutcome = ({ outcome }: ServiceProbe): boolean =>
  outcome !== "unknown" && outcome !== "answers" && outcome !== "gated";

/** Returns true if the queue's host is unreachable. Other hosts that a service names must not delay that queue. */
const isUnreachable = ({ endpoints }: ServiceProbe, host: string): boolean =>
  host !== "" && endpoints.some(({ outcome, url }) => outcome === "unreachable" && getHost(url) === host);

/** Returns the host whose queue a new job joins: that of its first endpoint, or the DID's. */
function getFirstHost({ did, endpoint }: UnqueuedRecord): string {
  const host = endpoint === null ? "" : getHost(endpoint);
  return host || (getDidHost(did) ?? "");
}

/** Returns the changes since the last conclusive probe. */
function toProbeEvents({ alive, drifted }: ProbedRecord, probe: ServiceProbe): ProbeEvent[] {
  const { outcome, drift, endpoints } = probe;
  const said = endpoints.find((one) => one.outcome === outcome);
  const why = said ? `${said.name}: ${said.reason}` : "";
  const changed = endpoints.flatMap(({ comparison }) => comparison?.changes ?? []);
  const events: ProbeEvent[] = [];
  const isDead = isDeadOutcome(probe);
  if (alive === true && isDead) events.push({ kind: "stopped", detail: why });
  if (alive === false && !isDead && outcome !== "unknown") events.push({ kind: "answers", detail: why });
  if (drifted !== true && drift === "changed") {
    events.push({
      kind: "changed",
      detail: changed
        .slice(0, 5)
        .map(({ kind, name, change }) => `${kind} ${name} ${change}`)
        .join(", "),
    });
  }
  if (drifted === true && drift === "same") events.push({ kind: "same", detail: "" });
  return events;
}

/** Limit of all diffs of one result, in bytes. The whole result stays below 64 KiB. */
const MAX_DIFF_BYTES = 32_768;

/** Returns untrusted text as one visible line that PostgreSQL can store. */
const truncateLine = (text: unknown, most: number): string => {
  const whole = String(text);
  return visibleText((whole.length > most ? `${whole.slice(0, most)}…` : whole).toWellFormed());
};

/** Shortens a probe result: its texts become short and visible, and long diffs end with the number of omitted lines. */
function truncateProbe(probe: ServiceProbe): ServiceProbe {
  let left = MAX_DIFF_BYTES;
  const fits = (text: string): boolean => {
    left -= Buffer.byteLength(JSON.stringify(text));
    return left >= 0;
  };

  function shortComparison({ outcome, changes }: ToolComparison): ToolComparison {
    const kept: ToolComparison["changes"] = [];
    for (const { name, breaks, diff, ...change } of changes) {
      const isFull = !fits(truncateLine(name, 100)) && kept.length > 0;
      if (isFull || kept.length === 100) {
        kept.at(-1)?.diff.push(`… and ${changes.length - kept.length} more changes`);
        break;
      }
      const lines = diff.map((line) => truncateLine(line, 400)).filter(fits);
      if (lines.length < diff.length) lines.push(`… and ${diff.length - lines.length} more lines`);
      kept.push({
        ...{ ...change, name: truncateLine(name, 100), diff: lines },
        ...(breaks !== undefined && { breaks: truncateLine(breaks, 200) }),
      });
    }
    return { outcome, changes: kept };
  }

  const shortEndpoint = ({ name, url, reason, protocolVersion, comparison, ...one }: EndpointProbe) => ({
    ...{
      ...one,
      name: truncateLine(name, 100),
      url: truncateLine(url, 1_000),
      reason: truncateLine(reason, 400),
    },
    ...(protocolVersion !== undefined && { protocolVersion: truncateLine(protocolVersion, 40) }),
    ...(comparison && { comparison: shortComparison(comparison) }),
  });
  return {
    ...probe,
    ...(probe.reason !== undefined && { reason: truncateLine(probe.reason, 400) }),
    endpoints: probe.endpoints.map(shortEndpoint),
  };
}
