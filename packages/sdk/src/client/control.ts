import type { Address, ContractFunctionReturnType, Hex } from "viem";
import type { resolverAbi } from "../abi/index.ts";

type Raw<name extends "getBlock" | "getChallenge" | "getController" | "getDIDAttestations" | "getIssuer"> =
  ContractFunctionReturnType<typeof resolverAbi, "view", name>;

/** Expiry of an attestation, in Unix seconds. Default: the longest lifetime that the resolver allows. */
export type Expiry = { expiresAt?: number | undefined };

export const toExpiresAt = ({ expiresAt = 0 }: Expiry): bigint => BigInt(expiresAt);

/** Converts a time of the contracts to Unix seconds. Returns `undefined` for 0, which means no time. */
export const toUnixTime = (time: bigint): number | undefined => (time === 0n ? undefined : Number(time));

/** Issuer's EIP-712 signature of a statement, with the fields that it covers. Times are Unix seconds. */
export type IssuerSignature = {
  issuer: Address;
  /** Signing time. An issuer's newest statement about the same subject replaces older ones. */
  statedAt: number;
  /** Last second at which the signature can be used, at most one day after `statedAt`. */
  deadline: number;
  signature: Hex;
};

export const toIssuerSignature = (signature: IssuerSignature) => ({
  ...signature,
  statedAt: BigInt(signature.statedAt),
  deadline: BigInt(signature.deadline),
});

/**
 * Statements of one issuer about a controller or a dataHash, at the block of the read. An attestation and its renewals
 * form one run. Times are Unix seconds.
 */
export type Attestation = {
  issuer: Address;
  /**
   * Start of the run; 0 without a run, because the issuer only revoked or has been distrusted since before the run
   * began.
   */
  startedAt: number;
  /** Time of the issuer's newest statement, which may be a revocation. */
  statedAt: number;
  /** Time at which the run matures; 0 without a run. Runs of data hashes mature when they begin. */
  maturesAt: number;
  /** Time at which the run expires; 0 without a run. */
  expiresAt: number;
  /** Time at which the issuer, a lost challenge or the resolver's owner ended the run; `undefined` if none did. */
  endedAt: number | undefined;
  /** Time of the issuer's last revocation; `undefined` if its newest statement is an attestation. */
  revokedAt: number | undefined;
  /** True if there is a run that is neither expired nor ended. */
  live: boolean;
  /** True if the run is live and `maturesAt` has passed. */
  matured: boolean;
  /**
   * True if a matured run expired less than 7 days ago, so that it can be renewed without loss. Always false for data
   * hashes.
   */
  overdue: boolean;
  /** True if a block on the account applies to the run, so that the run does not give control. */
  blocked: boolean;
};

/**
 * Returns the time from which an issuer renews an attestation: when a quarter of the longest lifetime is left. Both
 * arguments use the same unit of time.
 */
export const getRenewalTime = (expiresAt: number, lifetime: number): number => expiresAt - lifetime / 4;

const toAttestation = (raw: Raw<"getDIDAttestations">[number]): Attestation => ({
  ...raw,
  startedAt: Number(raw.startedAt),
  statedAt: Number(raw.statedAt),
  maturesAt: Number(raw.maturesAt),
  expiresAt: Number(raw.expiresAt),
  endedAt: toUnixTime(raw.endedAt),
  revokedAt: toUnixTime(raw.revokedAt),
});

export const toAttestations = (raws: Raw<"getDIDAttestations">): Attestation[] => raws.map(toAttestation);

/** State of an account for a DID, with the reasons. Times are Unix seconds. */
export type Controller = {
  /**
   * True if the account controls the DID, as `checkDid` returns: it has a matured attestation to which no block
   * applies.
   */
  controls: boolean;
  /**
   * True if the account controls the DID, or would after an overdue renewal. Only such an account can block and
   * unblock.
   */
  inCharge: boolean;
  /** True if the account has a live attestation. */
  attested: boolean;
  /** First second from now on at which the account controls the DID if nobody acts; `undefined` if it never will. */
  controlsFrom: number | undefined;
  /** End of the block that prevents control now or later; `undefined` without one. */
  blockedUntil: number | undefined;
  /** Number of issuers with a matured attestation of the account. Blocks do not change it. */
  score: number;
  /**
   * Score that a challenger must exceed: the number of issuers whose attestation of the account is live, or was in the
   * last 7 days. Blocks do not change it.
   */
  resistance: number;
};

export const toController = (raw: Raw<"getController">): Controller => ({
  ...raw,
  controlsFrom: toUnixTime(raw.controlsFrom),
  blockedUntil: toUnixTime(raw.blockedUntil),
  score: Number(raw.score),
  resistance: Number(raw.resistance),
});

/** Longest block of an account, in seconds. */
export const MAX_BLOCK = 30 * 24 * 3_600;

/** Block that prevents an account from controlling a DID, whichever issuers attest it. Times are Unix seconds. */
export type Block = {
  /** Start of the block. It applies to the account's attestations that mature after this time. */
  blockedAt: number;
  /** First second after the block. */
  blockedUntil: number;
  /**
   * Number of issuers that backed its author. The block does not apply while more issuers than this have a live or
   * overdue attestation of the account that matured at least one challenge period ago and expires more than one
   * challenge period after it matured.
   */
  weight: number;
};

export const toBlock = ({ blockedAt, blockedUntil, weight }: Raw<"getBlock">): Block | undefined =>
  blockedUntil === 0n
    ? undefined
    : { blockedAt: Number(blockedAt), blockedUntil: Number(blockedUntil), weight: Number(weight) };

/** Open challenge. It can be resolved from `resolvableFrom` until `expiresAt`. Times are Unix seconds. */
export type Challenge = { openedAt: number; resolvableFrom: number; expiresAt: number };

export const toChallenge = (raw: Raw<"getChallenge">): Challenge | undefined =>
  raw.openedAt === 0n
    ? undefined
    : {
        openedAt: Number(raw.openedAt),
        resolvableFrom: Number(raw.resolvableFrom),
        expiresAt: Number(raw.expiresAt),
      };

/** Names of the issuer statuses, in the order of the resolver's values. */
export const issuerStatuses = ["unknown", "active", "retired", "distrusted"] as const;

/**
 * Status of an issuer. An `active` issuer attests and revokes; a `retired` one only revokes. Statements of a
 * `distrusted` issuer since a given time are void. An `unknown` issuer was never added.
 */
export type IssuerStatus = (typeof issuerStatuses)[number];

/** Issuer with the status that the resolver's owner gave it. Times are Unix seconds. */
export type IssuerState = {
  issuer: Address;
  status: IssuerStatus;
  /** Time at which it was added; `undefined` for an unknown issuer. */
  addedAt: number | undefined;
  /** Start of the distrust, 0 for always; `undefined` unless the issuer is distrusted. */
  distrustedSince: number | undefined;
  /** Time from which another issuer can take its seat, 0 for immediately; `undefined` while it is active or unknown. */
  seatFreeAt: number | undefined;
};

export function toIssuerState({ issuer, ...raw }: Raw<"getIssuer">): IssuerState {
  const status = issuerStatuses[raw.status] ?? "unknown";
  const distrustedSince = status === "distrusted" ? Number(raw.distrustedSince) : undefined;
  const hasStopped = status === "retired" || status === "distrusted";
  const seatFreeAt = hasStopped ? Number(raw.seatFreeAt) : undefined;
  return { issuer, status, addedAt: toUnixTime(raw.addedAt), distrustedSince, seatFreeAt };
}

/** Time after expiry in which a matured attestation can be renewed without loss, in seconds. */
export const RENEWAL_GRACE_SECONDS = 7 * 24 * 3_600;

/** Settings of the resolver, in seconds. They never change. */
export type ResolverPolicy = {
  /** Longest lifetime of an attestation, in seconds. */
  maxTtl: number;
  /** Waiting period of an attestation if another account was attested for the DID before, in seconds. */
  maturation: number;
  /**
   * Time from the opening of a challenge until it can be resolved, in seconds. The challenge expires after twice that
   * time.
   */
  challengePeriod: number;
};
