import type { RetryPolicy } from "@app-registry/outbound/internal";
import { LOCAL_CHAIN_ID } from "@app-registry/sdk";

/** How often the worker asks, in seconds unless another unit is named. */
export type WorkerSettings = {
  /** Between two looks for new records. */
  tick: number;
  /** Between the end of a request to a host and the next one to it. */
  hostGap: number;
  /** Requests under way, each to another host. */
  concurrency: number;
  /** Until a document that was served is asked for again. */
  recheck: number;
  /** After failures in a row. */
  retries: RetryPolicy;
  /** Between the beginnings of two walks over every record. */
  walk: number;
  /** Token ids in one step of a walk. */
  walkStep: number;
  /** After a probe, until a visitor can have the same version asked again. */
  betweenChecks: number;
};

const DAY = 86_400;

const publicSettings: WorkerSettings = {
  tick: 1,
  hostGap: 2,
  concurrency: 8,
  recheck: DAY,
  retries: { first: 60, longest: DAY / 4 },
  walk: 600,
  walkStep: 5_000,
  betweenChecks: 600,
};

/** On the local chain every host is the developer's own machine, and nobody waits gladly. */
export function getWorkerSettings(chainId: number): WorkerSettings {
  return chainId === LOCAL_CHAIN_ID
    ? {
        ...{ ...publicSettings, tick: 0.25, hostGap: 0.1, retries: { first: 5, longest: 60 } },
        betweenChecks: 5,
      }
    : publicSettings;
}
