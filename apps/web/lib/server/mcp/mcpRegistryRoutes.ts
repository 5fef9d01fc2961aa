import { listVersions } from "@app-registry/index/versions";
import {
  didHash,
  IndexRequiredError,
  InvalidSearchError,
  isVersion,
  parseServerName,
  type SearchPage,
  type SearchQueryInput,
  type SearchResult,
  traitHash,
} from "@app-registry/sdk";
import { parseHashedServerName, readParams } from "@app-registry/sdk/internal";
import type { Hex } from "viem";
import { z } from "zod";
import { ApiProblem, problemResponse, refuseHidden } from "../http/problem.ts";
import { rawPathAfter, respondWithEtag, sharedJsonHeaders } from "../http/request.ts";
import {
  answer,
  defineRoute,
  hidden,
  noIndex,
  notModified,
  problemSchema,
  type Route,
} from "../http/route.ts";
import { searchTurns } from "../http/turns.ts";
import { readIndex } from "../readIndex.ts";
import { searchIndex } from "../records/searchRegistry.ts";
import type { Registry } from "../registry.ts";
import {
  isLatest,
  type ListedServer,
  type ServerEntry,
  type ServerList,
  serverEntry,
  serverEntrySchema,
  serverListSchema,
} from "./serverEntry.ts";

/** Parameter that also lists the services that the operator has hidden. */
const includeDeletedSchema = z
  .enum(["true", "false"], "must be true or false")
  .transform((text) => text === "true")
  .default(false)
  .describe("true: include services that the operator has hidden, as deleted. updated_since implies it.");

const searchSchema = z.object({
  cursor: z
    .string()
    .min(1)
    .max(6_000)
    // A cursor of digits only comes from the chain, which lists no servers.
    .regex(/\D/, "is not a cursor of this list")
    .optional()
    .describe("nextCursor from the previous page. It contains `search`, which the next request may omit."),
  limit: z.coerce.number().pipe(z.int().min(1).max(100)).default(30).describe("Entries per page, 1 to 100."),
  search: z.string().trim().max(200).optional().describe("Words of names, descriptions, tools and DIDs."),
  updated_since: z.iso
    .datetime({
      offset: true,
      error: "must be an RFC 3339 time, such as 2026-01-31T12:00:00Z (with + as %2B)",
    })
    .optional()
    .describe("Entries that changed at or after this time (RFC 3339), oldest change first."),
});

/** Parameters of GET /v0.1/servers. Unknown ones are ignored, because clients of other registries may send them. */
const listServersQuerySchema = searchSchema.extend({
  version: z
    .string()
    .refine((text) => text === "latest" || isVersion(text), "must be latest or major.minor.patch")
    .optional()
    .describe(
      "latest: only the current version of each service's highest Active major. Or an exact version.",
    ),
  include_deleted: includeDeletedSchema,
});

/**
 * Returns one page of the services that have an MCP endpoint, in the format of the MCP registry's API. A page may have
 * fewer entries than requested.
 *
 * @throws InvalidSearchError
 * @throws IndexRequiredError while the index is unavailable.
 */
export async function listServers(url: URL, registry: Registry): Promise<ServerList> {
  const { version, include_deleted: deleted, ...search } = readParams(listServersQuerySchema, listGiven(url));
  const { results, nextCursor } = await searchServers(registry, search);
  const servers = results.flatMap((result) => {
    const hiddenReason = registry.hidden.reasonOf(result.did);
    if (hiddenReason !== undefined && !deleted && !search.updated_since) return [];
    const entry = serverEntry(result, registry.environment.publicUrl, hiddenReason);
    return entry && isOfVersion(entry, version) ? [entry] : [];
  });
  return { servers, metadata: { count: servers.length, ...(nextCursor === null ? {} : { nextCursor }) } };
}

/** Lists the parameters of a URL. Some clients send an unset parameter as an empty one. */
const listGiven = (url: URL): [string, string][] => [...url.searchParams].filter(([, value]) => value !== "");

function isOfVersion(entry: ServerEntry, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return wanted === "latest" ? isLatest(entry) : entry.server.version === wanted;
}

/** Problem to report when the search needs the index and only the chain is available. */
const INDEX_REQUIRED_PROBLEM = {
  parameter: "servers",
  message: "requires the search index, which is unavailable",
};

/** Trait of every service that has an MCP endpoint. */
const MCP_TRAIT = "api:mcp";

/**
 * Searches for services. The cursor of a page contains the field and the text: VS Code sends the cursor without its
 * search.
 *
 * @throws InvalidSearchError if the cursor belongs to another search.
 * @throws IndexRequiredError while the index is unavailable. The chain stores no endpoints, so its page would look like
 *   an empty registry.
 */
async function searchServers(
  registry: Registry,
  { search, cursor, limit, updated_since: updatedSince }: z.output<typeof searchSchema>,
): Promise<Pick<SearchPage, "results" | "nextCursor">> {
  const find = async (by: SearchQueryInput) => {
    const query = { limit, updatedSince, status: "any" as const, traits: [MCP_TRAIT], ...by };
    return searchIndex({ ...registry, hidden: nothingHidden }, query, INDEX_REQUIRED_PROBLEM);
  };
  const [, encoded, position] = /^q~([\w-]*)~(.+)$/.exec(cursor ?? "") ?? [];
  if (encoded === undefined) return withSearch(await find({ ...(search && { q: search }), cursor }), search);
  const text = Buffer.from(encoded, "base64url").toString();
  if (search && search !== text) {
    throw new InvalidSearchError([{ parameter: "cursor", message: "is not a cursor of this search" }]);
  }
  return withSearch(await find({ q: text, cursor: position }), text);
}

/** Hides no service. Callers of a search with it decide which hidden services to list. */
const nothingHidden: Registry["hidden"] = { reasonOf: () => undefined, dids: () => [] };

/** Adds the search to the cursor of a page. Clients send it unencoded, so it has only characters that a URL allows. */
function withSearch({ results, nextCursor }: SearchPage, search: string | undefined) {
  if (nextCursor === null || !search) return { results, nextCursor };
  return { results, nextCursor: `q~${Buffer.from(search).toString("base64url")}~${nextCursor}` };
}

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
const serverQuerySchema = z.object({ include_deleted: includeDeletedSchema });

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

/** Problem of the MCP registry's API, with the `error` member that its clients read. */
const mcpProblemSchema = problemSchema.extend({ error: z.string().describe("The title.") });
const badQuery = { 400: "Invalid parameters, listed in `problems`." };
const noServer = { 404: "No MCP server of that name or version is registered.", ...hidden };
const serverName = {
  name: "serverName",
  in: "path",
  required: true,
  description: "Entry name, with its slash encoded as %2F.",
  schema: { type: "string" },
};

/** Returns the routes of the MCP registry's API. */
export function mcpRegistryRoutes(registry: () => Registry): Route[] {
  const shared = {
    method: "get",
    limits: ["searchClient"],
    inTurn: searchTurns,
    onProblem: (problem, { requestId }) => problemResponse(problem, requestId, { error: problem.title }),
  } satisfies Partial<Route>;
  const respond = (request: Request, found: object) =>
    respondWithEtag(request, JSON.stringify(found), sharedJsonHeaders);
  const ofServer = {
    ...shared,
    // One handler reads every path: the slash in a name may be encoded or not, and unknown paths get 404 with CORS.
    match: ["/v0.1", "/v0.1/:path{.+}"],
    handler: async (request: Request) => respond(request, await readServer(request, registry())),
  };
  return [
    defineRoute({
      ...shared,
      path: "/v0.1/servers",
      documented: {
        operationId: "listMcpServers",
        summary: "List services with an MCP endpoint, in the MCP registry's API format",
        description:
          "Lists the current version of every record that has the trait api:mcp and an endpoint named MCP, newest first. " +
          "Deprecated and Replaced records have the status deprecated. An entry's name is its DID with the " +
          "host reversed: did:web:example.com:tools:weather is com.example/tools.weather, did:web:example.com is " +
          "com.example/_. Its `_meta` has the DID, the dataHash, the last known outcome of each fact and URLs to verify " +
          "them. Unknown and empty parameters are ignored.",
        query: listServersQuerySchema,
        responses: { 200: answer("A page of servers.", serverListSchema), ...notModified },
        errors: { ...badQuery, ...noIndex },
        problem: mcpProblemSchema,
      },
      handler: async (request) => respond(request, await listServers(new URL(request.url), registry())),
    }),
    defineRoute({
      ...ofServer,
      path: "/v0.1/servers/{serverName}/versions",
      documented: {
        operationId: "listMcpServerVersions",
        summary: "List all published versions of an MCP server, newest first",
        description: "At most the highest 1,000 versions.",
        parameters: [serverName],
        query: serverQuerySchema,
        responses: { 200: answer("The versions.", serverListSchema), ...notModified },
        errors: { ...badQuery, ...noServer, ...noIndex },
        problem: mcpProblemSchema,
      },
    }),
    defineRoute({
      ...ofServer,
      path: "/v0.1/servers/{serverName}/versions/{version}",
      documented: {
        operationId: "getMcpServer",
        summary: "Get one version of an MCP server",
        parameters: [
          serverName,
          {
            name: "version",
            in: "path",
            required: true,
            description: "major.minor.patch, or latest for the current version of the highest Active major.",
            schema: { type: "string" },
          },
        ],
        query: serverQuerySchema,
        responses: { 200: answer("The server.", serverEntrySchema), ...notModified },
        errors: { ...badQuery, ...noServer, ...noIndex },
        problem: mcpProblemSchema,
      },
    }),
  ];
}
