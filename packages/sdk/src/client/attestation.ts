import type { Address, Hex } from "viem";
import { defineRead, defineWrite } from "./calls.ts";
import { type Raw, toControlArgs, toDataHashArgs, toDidHash, toUnixTime } from "./context.ts";

/** Expiry of an attestation, in Unix seconds. Default: the longest lifetime that the resolver allows. */
type Expiry = { expiresAt?: number | undefined };

const toExpiresAt = ({ expiresAt = 0 }: Expiry): bigint => BigInt(expiresAt);

/** Issuer's EIP-712 signature of a statement, with the fields that it covers. Times are Unix seconds. */
export type IssuerSignature = {
  issuer: Address;
  /** Signing time. An issuer's newest statement about the same subject replaces older ones. */
  statedAt: number;
  /** Last second at which the signature can be used, at most one day after `statedAt`. */
  deadline: number;
  signature: Hex;
};

const toIssuerSignature = (signature: IssuerSignature) => ({
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

const toAttestations = (raws: Raw<"getDIDAttestations">): Attestation[] => raws.map(toAttestation);

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

/**
 * Reads the newest statement of each issuer about a controller, revocations included; at most 16.
 *
 * @example
 * const [attestation] = await client.getDidAttestations({ did, controller });
 * attestation?.live; // true
 */
export const getDidAttestations = defineRead(
  "ResolverWithStore",
  "getDIDAttestations",
  "did controller",
  toControlArgs,
  toAttestations,
);

/**
 * Returns true if at least one issuer has a live attestation of a dataHash.
 *
 * @example
 * await client.checkDataHashAttestation({ did, dataHash }); // true
 */
export const checkDataHashAttestation = defineRead(
  "ResolverWithStore",
  "checkDataHashAttestation",
  "did dataHash",
  toDataHashArgs,
);

/**
 * Reads the newest statement of each issuer about a dataHash, revocations included; at most 16.
 *
 * @example
 * const attestations = await client.getDataHashAttestations({ did, dataHash });
 * attestations.some(({ live }) => live); // true
 */
export const getDataHashAttestations = defineRead(
  "ResolverWithStore",
  "getDataHashAttestations",
  "did dataHash",
  toDataHashArgs,
  toAttestations,
);

export type AttestDidParameters = Expiry & { did: string; controller: Address };

/**
 * Attests that an account controls a DID, or renews the attestation. Only an active issuer can send it.
 *
 * @example
 * const hash = await client.attestDid({ did, controller });
 * await client.waitForReceipt({ hash });
 */
export const attestDid = defineWrite(
  "ResolverWithStore",
  "attestDID",
  "did controller expiresAt?",
  ({ did, controller, ...expiry }: AttestDidParameters) => [toDidHash(did), controller, toExpiresAt(expiry)],
);

export type AttestDidBySignatureParameters = Expiry & {
  did: string;
  controller: Address;
  signature: IssuerSignature;
};

/**
 * Submits an issuer's signed attestation of a controller. Any account can send it and pays the gas.
 *
 * @example
 * const hash = await client.attestDidBySignature({ did, controller, signature });
 * await client.waitForReceipt({ hash });
 */
export const attestDidBySignature = defineWrite(
  "ResolverWithStore",
  "attestDIDBySignature",
  "did controller signature expiresAt?",
  ({ did, controller, signature, ...expiry }: AttestDidBySignatureParameters) => [
    { didHash: toDidHash(did), controller, expiresAt: toExpiresAt(expiry) },
    toIssuerSignature(signature),
  ],
);

/**
 * Revokes every attestation that the issuer sent or signed of a controller. Only an active or retired issuer can send
 * it.
 *
 * @example
 * const hash = await client.revokeDid({ did, controller });
 * await client.waitForReceipt({ hash });
 */
export const revokeDid = defineWrite("ResolverWithStore", "revokeDID", "did controller", toControlArgs);

export type AttestDataHashParameters = Expiry & { did: string; dataHash: Hex };

/**
 * Attests the dataHash of a DID's metadata, or renews the attestation. Only an active issuer can send it.
 *
 * @example
 * const hash = await client.attestDataHash({ did, dataHash });
 * await client.waitForReceipt({ hash });
 */
export const attestDataHash = defineWrite(
  "ResolverWithStore",
  "attestDataHash",
  "did dataHash expiresAt?",
  ({ did, dataHash, ...expiry }: AttestDataHashParameters) => [toDidHash(did), dataHash, toExpiresAt(expiry)],
);

export type AttestDataHashBySignatureParameters = Expiry & {
  did: string;
  dataHash: Hex;
  signature: IssuerSignature;
};

/**
 * Submits an issuer's signed attestation of a dataHash. Any account can send it and pays the gas.
 *
 * @example
 * const hash = await client.attestDataHashBySignature({ did, dataHash, signature });
 * await client.waitForReceipt({ hash });
 */
export const attestDataHashBySignature = defineWrite(
  "ResolverWithStore",
  "attestDataHashBySignature",
  "did dataHash signature expiresAt?",
  ({ did, dataHash, signature, ...expiry }: AttestDataHashBySignatureParameters) => [
    { didHash: toDidHash(did), dataHash, expiresAt: toExpiresAt(expiry) },
    toIssuerSignature(signature),
  ],
);

/**
 * Revokes every attestation that the issuer sent or signed of a dataHash. Only an active or retired issuer can send it.
 *
 * @example
 * const hash = await client.revokeDataHash({ did, dataHash });
 * await client.waitForReceipt({ hash });
 */
export const revokeDataHash = defineWrite(
  "ResolverWithStore",
  "revokeDataHash",
  "did dataHash",
  toDataHashArgs,
);
