/** Window of all rate limits, in seconds. */
export const RATE_LIMIT_WINDOW_SECONDS = 600;

/** Default maximum numbers of requests per window. */
export const defaultLimits = {
  /** verify-and-attest, per client address. */
  attestClient: 60,
  /** verify-and-attest, per connectedAddress. */
  attestAddress: 30,
  /** verify-and-attest, per connectedAddress and target: the host of a did:web or the contract of a did:pkh. */
  attestHost: 20,
  /**
   * Checks by verify-and-attest that request a host or contract, for all wallets. High, because all clients share it.
   */
  attestChecksHost: 600,
  /** The import routes, per client address. */
  importClient: 60,
  /** Reads that may fetch an external document, per client address. */
  readClient: 600,
  /** Images of services, per client address. */
  pictureClient: 600,
  /** Searches, per client address. */
  searchClient: 1_200,
  /** Pages that search or verify, per client address. */
  pageClient: 600,
} as const;

export type LimitName = keyof typeof defaultLimits;

/** Rate limits by name, as set by the operator or by default. `undefined` means no limit. */
export type LimitQuotas = Record<LimitName, number | undefined>;
