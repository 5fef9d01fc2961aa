import { db } from "ponder:api";
import { document, version } from "ponder:schema";
import { formatVersion, parseVersion, parseVersionSelector, type VersionSelector } from "@app-registry/sdk";
import { and, desc, eq } from "ponder";
import { type Hex, isHash } from "viem";
import { z } from "zod";
import { compareVersionSql, orderByVersionDesc } from "./sql.ts";

const parseWith = <Parsed>(parse: (text: string) => Parsed) =>
  z.string().transform((text, context) => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });

/** Which versions of a DID are asked for; the highest come first. */
export const versionsQuerySchema = z.strictObject({
  didHash: z
    .string()
    .toLowerCase()
    .refine((text) => isHash(text), "must be 32 bytes in hex"),
  /** That version, or the latest patch of major.minor. */
  version: parseWith(parseVersionSelector)
    .refine(({ minor }) => minor !== undefined, "must be major.minor or major.minor.patch")
    .optional(),
  /** Versions below this one: the last version of the page before. */
  before: parseWith(parseVersion).optional(),
  limit: z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(1).max(100)).default(100),
});

const { pointer, name, description, image, endpoints } = document;
const labelled = { pointer, name, description, image, endpoints };

/** The versions of a DID in descending order, each with what it recorded, and the pointer and the labels of its JSON. */
export async function listVersions({ didHash, ...query }: z.output<typeof versionsQuerySchema>) {
  const { major, minor, patch }: Partial<VersionSelector> = query.version ?? {};
  const { before } = query;
  const rows = await db
    .select({ version, document: labelled })
    .from(version)
    .leftJoin(document, and(eq(document.didHash, version.didHash), eq(document.dataHash, version.dataHash)))
    .where(
      and(
        eq(version.didHash, didHash as Hex),
        major === undefined ? undefined : eq(version.major, major),
        minor === undefined ? undefined : eq(version.minor, minor),
        patch === undefined ? undefined : eq(version.patch, patch),
        before && compareVersionSql(version, "<", before),
      ),
    )
    // The latest patch is the last one: after a reclaim it may be below an earlier one.
    .orderBy(...(query.version === undefined ? [] : [desc(version.block)]), ...orderByVersionDesc(version))
    .limit(query.version === undefined ? query.limit : 1);
  return rows.map(({ version: row, document: json }) => ({
    did: row.did,
    version: formatVersion(row),
    tokenId: row.tokenId.toString(),
    interfaces: row.interfaces,
    dataUrl: row.dataUrl,
    dataHash: row.dataHash,
    dataHashAlgorithm: row.dataHashAlgorithm,
    traitHashes: row.traitHashes,
    pointer: json?.pointer ?? null,
    labels: json && {
      name: json.name,
      description: json.description,
      image: json.image,
      endpoints: json.endpoints,
    },
    registeredAt: row.registeredAt,
    block: row.block,
    transactionHash: row.transactionHash,
  }));
}
