import { formatVersion } from "@app-registry/sdk";
import { and, desc, eq } from "drizzle-orm";
import type { Hex } from "viem";
import type { Session } from "./session.ts";
import { document, version } from "./tables.ts";

const { pointer, name, description, image, endpoints, details } = document;
const labelled = { pointer, name, description, image, endpoints, details };

/** Most versions of an answer. */
const MAX_VERSIONS = 1_000;

/** Lists the 1,000 highest versions of a DID, highest first, each with its record and the pointer and labels of its JSON. */
export async function listVersions({ db }: Session, didHash: Hex) {
  const rows = await db
    .select({ version, document: labelled })
    .from(version)
    .leftJoin(document, and(eq(document.didHash, version.didHash), eq(document.dataHash, version.dataHash)))
    .where(eq(version.didHash, didHash))
    .orderBy(desc(version.major), desc(version.minor), desc(version.patch))
    .limit(MAX_VERSIONS);
  return rows.map(({ version: row, document: json }) => ({
    did: row.did,
    version: formatVersion(row),
    tokenId: row.tokenId.toString(),
    interfaces: row.interfaces,
    dataUrl: row.dataUrl,
    dataHash: row.dataHash,
    dataHashAlgorithm: row.dataHashAlgorithm as 0 | 1,
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
