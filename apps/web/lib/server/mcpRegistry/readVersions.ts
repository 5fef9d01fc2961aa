import {
  didHash,
  endpointLabelSchema,
  IndexNeededError,
  parseSearchQuery,
  type SearchResult,
  traitHash,
} from "@app-registry/sdk";
import { type Hex, isHex } from "viem";
import { z } from "zod";
import { askIndexer, readAnswer } from "../askIndexer.ts";
import type { Registry } from "../registry.ts";
import { searchRegistry } from "../searchRegistry.ts";
import { MCP_TRAIT } from "./searchServers.ts";
import type { ListedServer } from "./serverEntry.ts";

/** Milliseconds that the index has for each of its answers. */
const INDEX_TIMEOUT = 4_000;

/** What the index gives at once. */
const PAGE = 100;

/** The most versions of a DID that are listed, the highest ones. */
const MAX_VERSIONS = 1_000;

/** As the index answers GET /apps/{didHash}/versions, as far as an entry needs it. */
const versionsSchema = z.object({
  versions: z.array(
    z.object({
      version: z.string(),
      tokenId: z.string(),
      dataUrl: z.string(),
      dataHash: z.custom<Hex>((value) => isHex(value)),
      traitHashes: z.array(z.string()),
      registeredAt: z.int(),
      labels: z
        .object({
          name: z.string().nullable(),
          description: z.string().nullable(),
          image: z.string().nullable(),
          endpoints: z.array(endpointLabelSchema),
        })
        .nullable()
        .describe("null of a version whose JSON is not on the chain."),
    }),
  ),
});

type IndexedVersion = z.output<typeof versionsSchema>["versions"][number];

/**
 * Every published version of a DID that has the trait of MCP servers, newest first; of more than 1,000 the highest.
 * `latest` is true of the current one of the highest Active major, or of the highest when none is Active.
 *
 * @throws IndexNeededError while the index is away.
 */
export async function readVersions(registry: Registry, did: string): Promise<ListedServer[]> {
  const [versions, records] = await Promise.all([listVersions(registry, did), listRecords(registry, did)]);
  const mcp = traitHash(MCP_TRAIT);
  const listed = versions
    .filter(({ traitHashes }) => traitHashes.includes(mcp))
    .flatMap((version) => {
      const record = records.get(version.tokenId);
      return record ? [{ ...toListed(version, record), isCurrent: record.version === version.version }] : [];
    });
  // The index lists the highest version first.
  const current = listed.filter(({ isCurrent }) => isCurrent);
  const latest = current.find(({ status }) => status === 0) ?? current[0];
  return listed
    .map(({ isCurrent: _, ...entry }) => ({ ...entry, latest: entry.version === latest?.version }))
    .toSorted((one, other) => other.updatedAt - one.updatedAt);
}

/** What is known of a version: of the current one what search says, of another what its own JSON says. */
function toListed(version: IndexedVersion, record: SearchResult): ListedServer {
  const { did, owner, status, changedAt } = record;
  const { tokenId, dataUrl, dataHash, labels, registeredAt: updatedAt } = version;
  const recorded = {
    did,
    owner,
    status,
    changedAt,
    tokenId,
    dataUrl,
    dataHash,
    updatedAt,
    version: version.version,
  };
  if (record.version === version.version && record.document?.source) {
    const { name, description, image, endpoints } = record;
    return { ...recorded, name, description, image, endpoints };
  }
  return {
    ...recorded,
    name: labels?.name ?? undefined,
    description: labels?.description ?? undefined,
    image: labels?.image ?? undefined,
    endpoints: labels?.endpoints,
  };
}

async function listVersions({ environment }: Registry, did: string): Promise<IndexedVersion[]> {
  const all: IndexedVersion[] = [];
  for (let before = ""; all.length < MAX_VERSIONS; ) {
    const path = `/apps/${didHash(did)}/versions?limit=${PAGE}${before && `&before=${before}`}`;
    const answer = await askIndexer(environment.indexerUrls, path, INDEX_TIMEOUT);
    if (answer?.status !== 200) {
      throw new IndexNeededError([{ parameter: "versions", message: "the chain does not list endpoints" }]);
    }
    const { versions } = versionsSchema.parse(readAnswer(answer));
    all.push(...versions);
    const last = versions.at(-1);
    if (!last || versions.length < PAGE) break;
    before = last.version;
  }
  return all;
}

/** The records of a DID by their token ids. */
async function listRecords(registry: Registry, did: string): Promise<Map<string, SearchResult>> {
  const records = new Map<string, SearchResult>();
  let cursor: string | undefined;
  do {
    const query = parseSearchQuery({ did, status: "any", limit: PAGE, cursor });
    const { results, nextCursor, source } = await searchRegistry(registry, query);
    if (source === "chain") {
      throw new IndexNeededError([{ parameter: "servers", message: "the chain does not list endpoints" }]);
    }
    for (const result of results) records.set(result.tokenId, result);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return records;
}
