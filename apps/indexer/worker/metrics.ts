import type { Database } from "@app-registry/index/workerTables";
import { DOCUMENT_QUEUE, PROBE_KIND, type Schemas, tablesExist } from "@app-registry/index/workerTables";
import { metrics } from "@app-registry/server/metrics";
import { Counter, Gauge, Histogram } from "prom-client";
import type { WorkerEvent } from "./createWorker.ts";
import { documentQueue } from "./recordStore.ts";

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
