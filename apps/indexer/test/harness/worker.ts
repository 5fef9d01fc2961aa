import type { Row } from "@app-registry/index/workerTables";
import { createGuardedFetch, proberUserAgent } from "@app-registry/outbound";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished } from "vitest";
import { createDocumentReader } from "../../worker/checkDocument.ts";
import {
  createWorker,
  getWorkerSettings,
  type WorkerEvent,
  type WorkerSettings,
} from "../../worker/createWorker.ts";
import { type DocumentHost, startDocumentHost } from "./documentHost.ts";
import { type OffchainIndex, openOffchainIndex } from "./offchainIndex.ts";

type Worker = ReturnType<typeof createWorker>;

export const settings: WorkerSettings = {
  ...getWorkerSettings({ chainId: 1, workerConcurrency: 8 }),
  walk: 600,
};
export const weather = {
  ...{ name: "Weather", publisher: "Meteo", description: "Rain and sun", traits: ["weather"] },
};

/** Worker over an index that is empty for each test, with a clock that tests move. */
type UsedWorker = {
  readonly index: OffchainIndex;
  readonly worker: Worker;
  /** Events of the worker. */
  readonly events: readonly WorkerEvent[];
  /** Unix seconds. */
  clock: number;
  /** Replaces the worker. */
  restart(changes?: Partial<WorkerSettings>): void;
  /** Advances the clock by `seconds`. In each second, the worker runs one step and all its checks. */
  pass(seconds: number): Promise<void>;
  newHost(): Promise<DocumentHost>;
  /** Starts a host with a page at `/`. */
  website(): Promise<DocumentHost>;
  /** Runs a statement in which `$o` is the schema of the worker's tables. */
  query(text: string, values?: unknown[]): Promise<Row[]>;
};

/** Lists the requests to a host except those for its robots.txt. */
export const asked = ({ requests }: DocumentHost) => requests.filter(({ path }) => path !== "/robots.txt");

/**
 * Creates a worker over a database for each test of a suite. Fails the test if the worker reports an unexpected
 * failure.
 *
 * @param probes True if the worker also probes services.
 */
export function useWorker({ probes = false }: { probes?: boolean } = {}): UsedWorker {
  const reader = createDocumentReader(60_000);
  const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 10_000 });
  const proberFetch = createGuardedFetch({
    ...{ allowLoopback: true, timeout: 10_000 },
    userAgent: proberUserAgent("https://registry.example"),
  });
  const { signal } = new AbortController();
  let index: OffchainIndex;
  let stop: () => Promise<void>;
  let worker: Worker;
  let events: WorkerEvent[];

  const used: UsedWorker = {
    get index() {
      return index;
    },
    get worker() {
      return worker;
    },
    get events() {
      return events;
    },
    clock: 0,
    restart(changes = {}) {
      worker = createWorker({
        ...index,
        guardedFetch,
        reader,
        ...(probes && {
          prober: {
            guardedFetch: proberFetch,
            chain: { readStoredDocument: index.documentAt, hasCode: async () => undefined },
          },
        }),
        settings: { ...settings, ...changes },
        now: () => used.clock,
        random: () => 1,
        onEvent: (event) => events.push(event),
      });
    },
    async pass(seconds) {
      for (let second = 0; second < seconds; second++) {
        await worker.look();
        await worker.begin(signal);
        await worker.settled();
        used.clock++;
      }
    },
    async newHost() {
      const host = await startDocumentHost(() => used.clock);
      onTestFinished(() => host.down());
      return host;
    },
    async website() {
      const host = await used.newHost();
      host.on("/", (_, response) => response.writeHead(200).end());
      return host;
    },
    query: (text, values = []) => index.database.query(text.replaceAll("$o", index.schemas.offchain), values),
  };

  beforeAll(async () => {
    ({ index, stop } = await openOffchainIndex());
  });
  beforeEach(() => {
    used.clock = 1_800_000_000;
    events = [];
    used.restart();
  });
  afterEach(async () => {
    expect(events.filter(({ type }) => type === "failed")).toEqual([]);
    await index.clear();
  });
  afterAll(async () => {
    await stop();
    await reader.close();
    await guardedFetch.close();
    await proberFetch.close();
  });
  return used;
}
