import { setTimeout as sleep } from "node:timers/promises";
import {
  createTables,
  type Database,
  DOCUMENT_QUEUE,
  offchainSchema,
  PROBE_KIND,
  quoteSchemas,
  type Schemas,
  tablesExist,
} from "@app-registry/index/workerTables";
import { createGuardedFetch, proberUserAgent } from "@app-registry/outbound";
import { AppRegistryError } from "@app-registry/sdk";
import { connect } from "@app-registry/server/connections";
import type { Environment } from "@app-registry/server/environment";
import { metrics, metrics as processMetrics } from "@app-registry/server/metrics";
import pg from "pg";
import { Counter, Gauge, Histogram } from "prom-client";
import type { Address } from "viem";
import { createDocumentReader } from "./checkDocument.ts";
import { createWorker, getWorkerSettings, type WorkerEvent } from "./createWorker.ts";
import { postgresDatabase, runWithAdvisoryLock } from "./database.ts";
import type { ProberChain } from "./prober.ts";
import { documentQueue } from "./recordStore.ts";
import { createRecordFinder } from "./records.ts";

/** Recorder of the worker's events in the metrics of this process. */
export type WorkerMetrics = {
  observe(event: WorkerEvent): void;
  setWorking(working: boolean): void;
};

/** Delay after which a due document is overdue, in seconds. One round of a host with 10,000 records takes 6 hours. */
const OVERDUE = 86_400;

/** Registers the worker's metrics in this process. Each scrape counts the jobs of the queue. */
export function createMetrics(database: Database, schemas: Schemas): WorkerMetrics {
  const queue = documentQueue(database, schemas);
  const { registry, jobs } = metrics();
  const registers = [registry];
  const checked = new Counter({
    name: "app_registry_documents_checked_total",
    help: "dataUrl requests, by result",
    labelNames: ["state"],
    registers,
  });
  const probed = new Counter({
    name: "app_registry_probes_total",
    help: "Live checks, by result",
    labelNames: ["outcome", "drift"],
    registers,
  });
  const seconds = new Histogram({
    name: "app_registry_documents_check_seconds",
    help: "Duration of such a request, including reading the response",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const failed = new Counter({
    name: "app_registry_documents_failed_total",
    help: "Failed worker runs, for example because of the database",
    registers,
  });
  const working = new Gauge({
    name: "app_registry_documents_working",
    help: "1 in each process that sends requests to hosts",
    registers,
    async collect() {
      if (!(await tablesExist(database, schemas))) return;
      const now = Date.now() / 1_000;
      for (const [name, kind] of [
        ["documents", DOCUMENT_QUEUE.kind],
        ["probes", PROBE_KIND],
      ] as const)
        jobs(name, await queue.count({ now, overdueBefore: now - OVERDUE, kinds: [kind] }));
    },
  });

  return {
    observe(event) {
      if (event.type === "failed") {
        failed.inc();
        return;
      }
      if (event.type === "probed") {
        probed.inc({ outcome: event.probe.outcome, drift: event.probe.drift });
        return;
      }
      checked.inc({ state: event.checked.state });
      seconds.observe(event.seconds);
    },
    setWorking: (value) => working.set(value ? 1 : 0),
  };
}

const USER_AGENT = "app-registry-indexer/0.1 (reads registered metadata documents)";

/**
 * Starts to read documents and to run live checks once the index is built. Several such processes share the work, and
 * one of them looks for records. Stops on SIGTERM or SIGINT. Does not keep the process alive.
 */
export function startDocumentWorker(environment: Environment): void {
  const { chainId, databaseUrl: connectionString } = environment;
  if (connectionString === undefined) throw new Error("The worker has a database");
  const schemas = quoteSchemas(chainId, environment.databaseSchema);
  const stopped = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stopped.abort());
  const { signal } = stopped;

  const pool = new pg.Pool({
    connectionString,
    max: 2,
    statement_timeout: 60_000,
    application_name: "app_registry_documents",
    allowExitOnIdle: true,
  });
  // Ignore closed connections: the pool opens a new one for the next statement.
  pool.on("error", () => undefined);
  const database = postgresDatabase(pool);
  const metrics = createMetrics(database, schemas);
  const lock = { connectionString, name: offchainSchema(chainId), onError: logFailure };
  void prepare(database, schemas, signal)
    .then(() => runWorker({ database, schemas, environment, metrics, lock }, signal))
    .catch(ignoreAfterAbort(signal))
    .finally(() => pool.end());
}

/** Waits until Ponder has reached the latest block, before which the index lacks records, and creates the tables. */
async function prepare(database: Database, schemas: Schemas, signal: AbortSignal): Promise<void> {
  const { isReady } = createRecordFinder(database, schemas);
  const isPrepared = async () => (await isReady()) && createTables(database, schemas).then(() => true);
  while (!(await isPrepared().catch(() => false))) await sleep(1_000, undefined, { signal, ref: false });
}

type WorkerProcess = {
  database: Database;
  schemas: Schemas;
  environment: Environment;
  metrics: WorkerMetrics;
  lock: Parameters<typeof runWithAdvisoryLock>[0];
};

async function runWorker(
  { database, schemas, environment, metrics, lock }: WorkerProcess,
  signal: AbortSignal,
): Promise<void> {
  const guardedFetch = createGuardedFetch({
    allowLoopback: environment.allowLoopback,
    userAgent: USER_AGENT,
    onAnswer: (outcome, seconds) => processMetrics().outbound(outcome, seconds),
  });
  const reader = createDocumentReader();
  const prober = environment.probesServices ? openProber(environment) : undefined;
  const worker = createWorker({
    database,
    schemas,
    guardedFetch,
    reader,
    ...(prober && { prober }),
    settings: getWorkerSettings(environment),
    now: () => Date.now() / 1_000,
    random: Math.random,
    onEvent(event) {
      metrics.observe(event);
      logEvent(event);
    },
  });
  logWorking(true);
  metrics.setWorking(true);
  try {
    await Promise.all([worker.run(signal), runWithAdvisoryLock(lock, signal, worker.runLook)]);
  } finally {
    metrics.setWorking(false);
    logWorking(false);
    await Promise.all([reader.close(), guardedFetch.close(), prober?.guardedFetch.close()]);
  }
}

/** Creates the fetcher and the chain reader of the prober. */
function openProber(environment: Environment) {
  const { client, chainClient } = connect(environment);
  const guardedFetch = createGuardedFetch({
    allowLoopback: environment.allowLoopback,
    // A developer's machine compiles a service while it is asked.
    ...(environment.allowLoopback && { timeout: 60_000 }),
    userAgent: proberUserAgent(environment.publicUrl),
    onAnswer: (outcome, seconds) => processMetrics().outbound(outcome, seconds),
  });
  const chain: ProberChain = {
    readStoredDocument: (pointer) => client.getMetadataAt(pointer),
    async hasCode({ chainId, address }) {
      const code = await chainClient(chainId)?.getCode({ address: address as Address });
      return chainClient(chainId) && code !== undefined && code !== "0x";
    },
  };
  return { guardedFetch, chain };
}

const ignoreAfterAbort = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) logFailure(error);
};

const write = (level: "info" | "warn" | "error", msg: string, fields: Record<string, unknown> = {}) =>
  console.log(JSON.stringify({ level, time: new Date().toISOString(), msg, ...fields }));

/** Writes a line of JSON for each check or probe whose result differs from the previous one. */
function logEvent(event: WorkerEvent): void {
  if (event.type === "failed") {
    logFailure(event.error);
    return;
  }
  if (event.type === "probed") {
    const { did, tokenId } = event.record;
    for (const { kind, detail } of event.events)
      write("info", "Probe changed", { did, tokenId, kind, detail });
    return;
  }
  const { record, host, checked } = event;
  if (checked.state === record.state) return;
  const { did, tokenId, dataUrl } = record;
  const level = checked.state === "served" ? "info" : "warn";
  write(level, "Document checked", {
    did,
    tokenId,
    host,
    dataUrl,
    state: checked.state,
    reason: checked.reason,
  });
}

/** Logs that the worker failed and will retry, with the error's kind and message only. */
function logFailure(error: unknown): void {
  const reason = error instanceof AppRegistryError ? error.shortMessage : String(error);
  write("error", "Document worker failed, will retry", { reason: reason.slice(0, 500) });
}

/** Logs that this process started or stopped sending requests to hosts. */
function logWorking(working: boolean): void {
  write("info", working ? "Document worker started" : "Document worker stopped");
}
