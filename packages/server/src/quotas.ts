/** Window of all rate limits, in seconds. */
export const RATE_LIMIT_WINDOW_SECONDS = 600;

/** Default maximum numbers of requests per window. The descriptions of their variables say what each limits. */
export const defaultLimits = {
  attestClient: 60,
  attestAddress: 30,
  attestHost: 20,
  attestChecksHost: 600,
  importClient: 60,
  readClient: 600,
  pictureClient: 600,
  searchClient: 1_200,
  pageClient: 600,
} as const;

export type LimitName = keyof typeof defaultLimits;

/**
 * Limits of requests that cost neither money nor requests to others. Each web process counts them in memory, up to its
 * share of the quota.
 */
export const limitsPerProcess: ReadonlySet<LimitName> = new Set(["searchClient", "pageClient"]);

/** Rate limits by name, as set by the operator or by default. `undefined` means no limit. */
export type LimitQuotas = Record<LimitName, number | undefined>;
