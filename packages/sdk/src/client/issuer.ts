import type { Address } from "viem";
import { method, readView } from "./calls.ts";
import { type BlockParameter, type ClientContext, type Raw, toUnixTime } from "./context.ts";

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

function toIssuerState({ issuer, ...raw }: Raw<"getIssuer">): IssuerState {
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

/**
 * Reads the status of an issuer.
 *
 * @example
 * const { status } = await client.getIssuer(issuerAccount.address);
 * status; // "active"
 */
export const getIssuer = method(
  "(issuer)",
  async (context: ClientContext, issuer: Address, at?: BlockParameter): Promise<IssuerState> =>
    toIssuerState(await readView(context, "ResolverWithStore", "getIssuer", [issuer], at)),
);

/**
 * Reads the issuers that have a seat, in any status; at most 16. Statements of all other issuers are void.
 *
 * @example
 * const issuers = await client.getIssuers();
 * const active = issuers.filter(({ status }) => status === "active");
 */
export const getIssuers = method(
  "()",
  async (context: ClientContext, at?: BlockParameter): Promise<IssuerState[]> =>
    (await readView(context, "ResolverWithStore", "getIssuers", [], at)).map(toIssuerState),
);

/**
 * Reads the resolver's settings: the longest lifetime of an attestation, the waiting period and the challenge period.
 *
 * @example
 * const { maxTtl, maturation, challengePeriod } = await client.getResolverPolicy();
 */
export const getResolverPolicy = method(
  "()",
  async (context: ClientContext, at?: BlockParameter): Promise<ResolverPolicy> => {
    const [maxTtl, maturation, challengePeriod] = await Promise.all([
      readView(context, "ResolverWithStore", "maxTTL", [], at),
      readView(context, "ResolverWithStore", "maturation", [], at),
      readView(context, "ResolverWithStore", "challengePeriod", [], at),
    ]);
    return {
      maxTtl: Number(maxTtl),
      maturation: Number(maturation),
      challengePeriod: Number(challengePeriod),
    };
  },
);
