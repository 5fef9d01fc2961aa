import type { RetryPolicy } from "@app-registry/outbound/internal";
import { LOCAL_CHAIN_ID } from "@app-registry/sdk";
import type { Environment } from "@app-registry/server/environment";

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
