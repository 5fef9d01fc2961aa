import { formatVersion, parseVersion, parseVersionSelector, type VersionSelector } from "@app-registry/sdk";
import { and, desc, eq } from "drizzle-orm";
import { type Hex, isHash } from "viem";
import { z } from "zod";
import type { Session } from "./session.ts";
import { compareVersionSql, orderByVersionDesc } from "./sql.ts";
import { document, version } from "./tables.ts";

const parseWith = <Parsed>(parse: (text: string) => Parsed) =>
  z.string().transform((text, context) => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });

/** Query of a DID's versions, highest first. */
export const versionsQuerySchema = z.strictObject({
  didHash: z
    .string()
    .toLowerCase()
    .refine((text) => isHash(text), "must be 32 bytes in hex"),
  /** Selects one version, or the latest patch of major.minor. */
  version: parseWith(parseVersionSelector)
    .refine(({ minor }) => minor !== undefined, "must be major.minor or major.minor.patch")
    .optional(),
  /** Selects versions below this one, which is the last version of the previous page. */
  before: parseWith(parseVersion).optional(),
  limit: z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(1).max(100)).default(100),
});

const { pointer, name, description, image, endpoints, details } = document;
const labelled = { pointer, name, description, image, endpoints, details };

/** Lists a DID's versions in descending order, each with its record and the pointer and labels of its JSON. */
export async function listVersions(
  session: Session,
  { didHash, ...query }: z.output<typeof versionsQuerySchema>,
) {
  const { major, minor, patch }: Partial<VersionSelector> = query.version ?? {};
  const { before } = query;
  const rows = await session.db
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
    // Order by block first: after a reclaim, the latest patch may be lower than an earlier one.
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
      ...json.details,
    },
    registeredAt: row.registeredAt,
    block: row.block,
    transactionHash: row.transactionHash,
  }));
}
