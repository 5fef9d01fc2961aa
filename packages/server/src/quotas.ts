/** Seconds of every limit's window. */
export const RATE_LIMIT_WINDOW_SECONDS = 600;

/** Requests in a window, for each thing that is counted. */
export const defaultLimits = {
  /** verify-and-attest, per client address. */
  attestClient: 60,
  /** verify-and-attest, per connectedAddress. */
  attestAddress: 30,
  /** verify-and-attest, per connectedAddress and host of a did:web or contract of a did:pkh. */
  attestHost: 20,
  /** Checks of verify-and-attest that request a host or contract, of all wallets. Wide, since strangers share it. */
  attestChecksHost: 600,
  /** The import routes, per client address. */
  importClient: 60,
  /** Reads that may fetch a stranger's document, per client address. */
  readClient: 600,
  /** Pictures that services name, per client address. */
  pictureClient: 600,
  /** Searches, per client address. */
  searchClient: 1_200,
  /** Pages that search or verify, per client address. */
  pageClient: 600,
} as const;

export type LimitName = keyof typeof defaultLimits;

/** Each limit that the operator set or the default; undefined for none. */
export type LimitQuotas = Record<LimitName, number | undefined>;
