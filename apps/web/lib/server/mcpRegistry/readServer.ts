import { listVersions } from "@app-registry/index/versions";
import {
  didHash,
  IndexRequiredError,
  parseServerName,
  type SearchQueryInput,
  type SearchResult,
  traitHash,
} from "@app-registry/sdk";
import { parseHashedServerName, readParams } from "@app-registry/sdk/internal";
import type { Hex } from "viem";
import { z } from "zod";
import { refuseHidden } from "../operator/hiddenServices.ts";
import { ApiProblem } from "../problem.ts";
import { rawPathAfter } from "../rawPathAfter.ts";
import { readIndex } from "../readIndex.ts";
import type { Registry } from "../registry.ts";
import { searchIndex } from "../searchRegistry.ts";
import {
  INDEX_REQUIRED_PROBLEM,
  includeDeletedSchema,
  listGiven,
  MCP_TRAIT,
  nothingHidden,
} from "./listServers.ts";
import {
  isLatest,
  type ListedServer,
  type ServerEntry,
  type ServerList,
  serverEntry,
} from "./serverEntry.ts";

/**
 * Answers `/v0.1/servers/{serverName}/versions` and `…/versions/{version}`. The slash in the name may be encoded. Lists
 * every published version of a server, whatever its status; `latest` is the current version of the highest Active
 * major, or of the highest major if none is Active.
 *
 * @throws ApiProblem 404 `not-found`
 * @throws IndexRequiredError while the index is unavailable.
 */
export async function readServer(request: Request, registry: Registry): Promise<ServerEntry | ServerList> {
  const { name, version } = readPath(rawPathAfter(request, "/v0.1/servers/"));
  const { include_deleted: includeDeleted } = readParams(serverQuerySchema, listGiven(new URL(request.url)));
  const did = parseServerName(name);
  const hash = did === undefined ? parseHashedServerName(name) : didHash(did);
  if (did !== undefined && !includeDeleted) refuseHidden(registry.hidden, did);
  const listed = hash === undefined ? [] : await readVersions(registry, hash);
  const [first] = listed;
  if (first && !includeDeleted) refuseHidden(registry.hidden, first.did);
  const { publicUrl } = registry.environment;
  const hiddenReason = first && registry.hidden.reasonOf(first.did);
  const servers = listed.flatMap((server) => serverEntry(server, publicUrl, hiddenReason) ?? []);
  if (servers.length === 0) throw notFound(`No MCP server is named ${name}.`);
  if (version === undefined) return { servers, metadata: { count: servers.length } };
  const entry = servers.find((server) =>
    version === "latest" ? isLatest(server) : server.server.version === version,
  );
  if (!entry) throw notFound(`${name} has no version ${version}. See /versions for the available ones.`);
  return entry;
}

/** Parameters of the versions of a server. Unknown ones are ignored. */
export const serverQuerySchema = z.object({ include_deleted: includeDeletedSchema });

function readPath(rawPath: string): { name: string; version?: string } {
  const [, name, version] =
    /^((?:(?!%2f)[^/])+(?:\/|%2f)[^/]+?)\/versions(?:\/([^/]+))?$/i.exec(rawPath) ?? [];
  if (name === undefined)
    throw notFound("Available routes: /v0.1/servers and /v0.1/servers/{serverName}/versions.");
  const decoded = { name: decode(name) };
  return version === undefined ? decoded : { ...decoded, version: decode(version) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notFound("The path is not valid percent-encoding.");
  }
}

const notFound = (detail: string) => new ApiProblem(404, "not-found", "Server not found", { detail });

/** Maximum page size of the index. */
const PAGE = 100;

type IndexedVersion = Awaited<ReturnType<typeof listVersions>>[number];

/**
 * Returns the published versions of a DID that have the trait of MCP servers, newest first, at most the 1,000 highest.
 * `latest` is true for the current version of the highest Active major, or of the highest major if none is Active.
 *
 * @throws IndexRequiredError while the index is unavailable.
 */
async function readVersions(registry: Registry, hash: Hex): Promise<ListedServer[]> {
  const versions = await readIndex(registry, (session) => listVersions(session, hash));
  if (!versions) throw new IndexRequiredError([INDEX_REQUIRED_PROBLEM]);
  const [highest] = versions;
  if (!highest) return [];
  const records = await listRecords({ ...registry, hidden: nothingHidden }, highest.did);
  const mcp = traitHash(MCP_TRAIT);
  const listed = versions
    .filter(({ traitHashes }) => traitHashes.includes(mcp))
    .flatMap((version) => {
      const record = records.get(version.tokenId);
      return record ? [{ ...toListed(version, record), isCurrent: record.version === version.version }] : [];
    });
  // Use the first match: the index lists the highest version first.
  const current = listed.filter(({ isCurrent }) => isCurrent);
  const latest = current.find(({ status }) => status === 0) ?? current[0];
  return listed
    .map(({ isCurrent: _, ...entry }) => ({ ...entry, latest: entry.version === latest?.version }))
    .toSorted((one, other) => other.updatedAt - one.updatedAt);
}

/**
 * Combines a version with its record. Labels of the current version come from the search result, those of others from
 * the version's own JSON.
 */
function toListed(version: IndexedVersion, record: SearchResult): ListedServer {
  const { owner, status, changedAt, deprecation, replacedBy, facts } = record;
  const { labels, registeredAt: updatedAt, ...recorded } = version;
  const isCurrent = record.version === version.version;
  const { name, description, image, endpoints, packages } =
    isCurrent && record.document?.source ? record : (labels ?? {});
  return {
    ...recorded,
    ...{ owner, status, changedAt, updatedAt, deprecation, replacedBy },
    // The other facts are those of the current version's document.
    facts: isCurrent ? facts : { control: facts?.control },
    name: name ?? undefined,
    description: description ?? undefined,
    image: image ?? undefined,
    endpoints,
    packages,
  };
}

/** Returns the records of a DID by token id. */
async function listRecords(registry: Registry, did: string): Promise<Map<string, SearchResult>> {
  const records = new Map<string, SearchResult>();
  let cursor: string | undefined;
  do {
    const query: SearchQueryInput = { did, status: "any", limit: PAGE, cursor };
    const { results, nextCursor } = await searchIndex(registry, query, INDEX_REQUIRED_PROBLEM);
    for (const result of results) records.set(result.tokenId, result);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return records;
}
