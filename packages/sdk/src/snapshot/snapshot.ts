import type { Address, Hex, LocalAccount } from "viem";
import * as z from "zod/mini";
import { MAX_DID_LENGTH } from "../did.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { canonicalizeValue } from "../json.ts";
import { bytesSchema, checksummedAddressSchema, countSchema, described, hashSchema } from "../schemas.ts";
import { driftSchema, liveOutcomeSchema } from "../search/liveMark.ts";

const decimal = (digits: string) => z.string().check(z.regex(new RegExp(`^(0|[1-9]\\d{0,${digits}})$`)));
const version = /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){2}$/;

/** What a snapshot says of one Active record that the registry's prober has asked. */
export const snapshotRecordSchema = z.strictObject({
  tokenId: decimal("77"),
  did: z.string().check(z.maxLength(MAX_DID_LENGTH)),
  version: described(z.string().check(z.regex(version)), "The version that was asked, major.minor.patch."),
  dataHash: hashSchema,
  outcome: liveOutcomeSchema,
  drift: described(z.nullable(driftSchema), "Null when nothing was compared."),
  probedAt: described(countSchema, "Unix seconds."),
  answeredAt: described(
    z.nullable(countSchema),
    "When it last answered or was gated, Unix seconds; null: never.",
  ),
});

export type SnapshotRecord = z.output<typeof snapshotRecordSchema>;

/** The UTC day of a time in Unix seconds: `2026-11-24`. */
export const utcDay = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);

export const snapshotDaySchema = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/));

/** The last second whose day has four digits of a year. */
const LAST_TIME = 253_402_300_799;

const signedFields = {
  day: described(snapshotDaySchema, "UTC, such as 2026-11-24."),
  takenAt: described(
    z.int().check(z.gte(0), z.lte(LAST_TIME)),
    "When the snapshot was started, in Unix seconds. Rows may be a few seconds newer.",
  ),
  block: described(countSchema, "Latest indexed block at that time."),
  services: described(countSchema, "Lines of the file."),
  bytes: described(countSchema, "Size of the file."),
  sha256: described(hashSchema, "SHA-256 of the file."),
};

/** What is signed of a day's file. */
export const snapshotManifestSchema = z.object({
  chainId: z.int().check(z.positive()),
  registry: checksummedAddressSchema,
  ...signedFields,
  signer: checksummedAddressSchema,
  signature: described(bytesSchema, "EIP-712, by `signer`; see snapshotTypedData."),
});

export type SnapshotManifest = z.output<typeof snapshotManifestSchema>;

/** The manifest has not the form of one. */
export class InvalidSnapshotError extends AppRegistryError {
  override readonly name = "InvalidSnapshotError";

  constructor(problem: string, cause?: unknown) {
    super(`This is not a snapshot manifest: ${problem}.`, {
      action: "Download that day's manifest again.",
      docsPath: "/snapshots",
      cause,
    });
  }
}

/** Longest manifest, in characters; one has less than a thousand. */
const MAX_MANIFEST = 10_000;

/**
 * Reads the JSON of a manifest. Whether what it says holds is `verifySnapshot`'s to find.
 *
 * @throws {InvalidSnapshotError} naming the first wrong field.
 * @example
 * try {
 *   parseSnapshotManifest("{}");
 * } catch (error) {
 *   error instanceof InvalidSnapshotError; // true
 * }
 */
export function parseSnapshotManifest(json: unknown): SnapshotManifest {
  let value = json;
  if (typeof json === "string") {
    if (json.length > MAX_MANIFEST) throw new InvalidSnapshotError("it is too long");
    try {
      value = JSON.parse(json);
    } catch (cause) {
      throw new InvalidSnapshotError("it is not JSON", cause);
    }
  }
  const parsed = snapshotManifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InvalidSnapshotError(
    `${parsed.error.issues[0]?.path.join(".") || "it"} is not valid`,
    parsed.error,
  );
}

/**
 * A record's line of a snapshot, without the line break: its canonical JSON (JCS, RFC 8785).
 *
 * @example
 * const asked = { outcome: "answers", drift: "same", probedAt: 1_795_500_000, answeredAt: 1_795_500_000 } as const;
 * snapshotLine({ tokenId: "1", did, version: "1.0.0", dataHash: `0x${"00".repeat(32)}`, ...asked }).slice(0, 24);
 * // '{"answeredAt":1795500000'
 */
export const snapshotLine = (record: SnapshotRecord): string => canonicalizeValue(record);

const types = {
  Snapshot: [
    { name: "day", type: "string" },
    { name: "takenAt", type: "uint64" },
    { name: "block", type: "uint64" },
    { name: "services", type: "uint64" },
    { name: "bytes", type: "uint64" },
    { name: "sha256", type: "bytes32" },
  ],
} as const;

/** A manifest before it is signed. */
export type UnsignedSnapshot = Omit<SnapshotManifest, "signer" | "signature">;

/**
 * What the signer of a snapshot signs (EIP-712). The chain and the registry are in the domain, the rest is the message.
 *
 * @example
 * const { chainId, contracts } = deployment;
 * const place = { chainId, registry: contracts.AppRegistry.address, day: "2026-11-24", takenAt: 1_795_480_000 };
 * const content = { block: 1, services: 0, bytes: 0, sha256: `0x${"00".repeat(32)}` } as const;
 * snapshotTypedData({ ...place, ...content }).primaryType; // "Snapshot"
 */
export const snapshotTypedData = (manifest: UnsignedSnapshot) => ({
  domain: {
    name: "App Registry Snapshot",
    version: "1",
    chainId: manifest.chainId,
    verifyingContract: manifest.registry,
  },
  types,
  primaryType: "Snapshot" as const,
  message: {
    day: manifest.day,
    takenAt: BigInt(manifest.takenAt),
    block: BigInt(manifest.block),
    services: BigInt(manifest.services),
    bytes: BigInt(manifest.bytes),
    sha256: manifest.sha256 as Hex,
  },
});

/**
 * Signs a manifest with any viem account that signs by itself.
 *
 * @example
 * const { chainId, contracts } = deployment;
 * const place = { chainId, registry: contracts.AppRegistry.address, day: "2026-11-24", takenAt: 1_795_480_000 };
 * const content = { block: 1, services: 0, bytes: 0, sha256: `0x${"00".repeat(32)}` } as const;
 * (await signSnapshot({ ...place, ...content }, account)).signer === account.address; // true
 */
export async function signSnapshot(
  unsigned: UnsignedSnapshot,
  account: Pick<LocalAccount, "address" | "signTypedData">,
): Promise<SnapshotManifest> {
  const signature = await account.signTypedData(snapshotTypedData(unsigned));
  return { ...unsigned, signer: account.address as Address, signature };
}
