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
import { type Metadata, parseDid, type ServiceProbe } from "@app-registry/sdk";
import type { Hex } from "viem";
import type { Database } from "./database.ts";
import type { DocumentReader } from "./documentReader.ts";
import { type ProbedRecord, type ProbeEvent, probeStore, type UnqueuedRecord } from "./probeStore.ts";
import { PROBE_KIND, type Schemas } from "./tables.ts";
import { truncateProbe } from "./truncateProbe.ts";

/** What the chains say to the prober. */
export type ProberChain = {
  /** The JSON that a pointer holds. */
  readStoredDocument(pointer: Hex): Promise<string>;
  /** Whether there is code at a contract; undefined for a chain that can't be read here. */
  hasCode(contract: { chainId: number; address: string }): Promise<boolean | undefined>;
};

/** A service was asked. */
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
  /** Unix seconds. */
  now: () => number;
  onEvent: (event: ProbedEvent) => void;
};

/** Seconds of block time that a look for changed records goes back, in case the chain did. */
const REORG_LOOKBACK_SECONDS = 300;

/**
 * Asks the services of all Active records, each once a day at a time of its own, whether they answer and offer what is
 * registered. Its jobs stand in the worker's queue beside those of documents.
 */
export function createProber({ database, schemas, queue, chain, reader, now, onEvent }: ProberParameters) {
  const store = probeStore(database, schemas);
  const robots = createRobotsCache(now);
  const milliseconds = () => Math.round(now() * 1_000);

  async function takeIn(found: readonly UnqueuedRecord[], dueAt: (record: UnqueuedRecord) => number) {
    if (found.length === 0) return;
    // A worker that ends in between finds the records once more.
    await queue.enqueue(
      found.map((record) => ({
        ...{ kind: PROBE_KIND, key: record.tokenId, host: getFirstHost(record), priority: 3 },
        dueAt: dueAt(record),
      })),
    );
    await store.markQueued(found);
  }

  /** Refuses a host when the day's budget of it, of its site or of the holder is used up. */
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
    const { did, interfaces, owner } = record;
    let ofHolder: BudgetLimit[] = [{ subject: `holder ${owner}`, most: PROBER.perHolder }];
    polite.guard(async (host) => {
      await spend(record, [...getProbeBudget(did, host), ...ofHolder]);
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
    if (metadata === undefined) return unread("The registered document could not be read.");
    return probeService(
      { did, metadata, interfaces },
      { guardedFetch, hasCode: chain.hasCode, now: milliseconds },
    );
  }

  return {
    /** Queues the records that the chain changed since a block time, to be asked at once. */
    async look(lastChange: number): Promise<boolean> {
      const found = await store.changedSince(lastChange - REORG_LOOKBACK_SECONDS);
      await takeIn(found, now);
      return found.length < store.maxFound;
    },

    /**
     * Queues what a look missed of the token ids behind `after` and up to `last`, each for its time of day.
     * @returns the token id that it came to.
     */
    async walk(after: number, last: number): Promise<number> {
      const found = await store.findInRange(after, last);
      await takeIn(found, ({ didHash }) => scheduleNextProbe(didHash, now() - PROBER.interval / 2, 0));
      return found.length < store.maxFound ? last : Number(found.at(-1)?.tokenId);
    },

    prune: () => store.prune(now()),

    /** Asks a service, and notes what came of it. @throws PutOffError, HostBusyError */
    async probe(job: Job, polite: PoliteFetch, signal: AbortSignal): Promise<JobOutcome> {
      const record = await store.current(job.key);
      if (!record) return "gone";
      const asked = await ask(record, polite).finally(() => polite.throwIfInterrupted());
      const probe = truncateProbe(asked);
      signal.throwIfAborted();
      const at = now();
      const events = toProbeEvents(record, probe);
      await store.saveResult(record, probe, { dueAt: job.dueAt, at, events });
      onEvent({ type: "probed", record, probe, events });
      const isDead = isDeadOutcome(probe);
      const failures = isDead ? job.failures + 1 : 0;
      return {
        ...{ dueAt: scheduleNextProbe(record.didHash, at, failures), failures, priority: 3 },
        isHostTrouble: isUnreachable(asked, job.host),
      };
    },
  };
}

const isDeadOutcome = ({ outcome }: ServiceProbe): boolean =>
  outcome !== "unknown" && outcome !== "answers" && outcome !== "gated";

/** Whether it is the host of the line that can't be reached: what else a service names makes nobody wait. */
const isUnreachable = ({ endpoints }: ServiceProbe, host: string): boolean =>
  host !== "" && endpoints.some(({ outcome, url }) => outcome === "unreachable" && getHost(url) === host);

/** The line that a job waits in at first: its first endpoint's host, or the DID's; the prober takes turns with all others. */
function getFirstHost({ did, endpoint }: UnqueuedRecord): string {
  const host = endpoint === null ? "" : getHost(endpoint);
  const parsed = parseDid(did);
  return host || (parsed.method === "web" ? parsed.host : "");
}

/** What changed since the probe before that could tell. */
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
