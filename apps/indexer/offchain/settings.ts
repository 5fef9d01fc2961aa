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
  /** After the first failure; doubles with each further one. */
  firstRetry: number;
  longestRetry: number;
  /** Between the beginnings of two walks over every record. */
  walk: number;
  /** Token ids in one step of a walk. */
  walkStep: number;
};

const DAY = 86_400;

const publicSettings: WorkerSettings = {
  tick: 1,
  hostGap: 2,
  concurrency: 8,
  recheck: DAY,
  firstRetry: 60,
  longestRetry: DAY / 4,
  walk: 600,
  walkStep: 5_000,
};

/** On the local chain every host is the developer's own machine, and nobody waits gladly. */
export function workerSettings(chainId: number): WorkerSettings {
  return chainId === LOCAL_CHAIN_ID
    ? { ...publicSettings, tick: 0.25, hostGap: 0.1, firstRetry: 5, longestRetry: 60 }
    : publicSettings;
}

/** The delay with up to a quarter more or less, so that what failed together is not asked together. */
export const withJitter = (seconds: number, random: () => number) => seconds * (0.75 + random() / 2);

/** Seconds until the next try after `failures` failures in a row, 1 or more. */
export function retryDelay(failures: number, settings: WorkerSettings, random: () => number): number {
  const { firstRetry, longestRetry } = settings;
  return withJitter(Math.min(firstRetry * 2 ** Math.min(failures - 1, 30), longestRetry), random);
}
