import {
  appPath,
  dataUrlPath,
  endpointName,
  InvalidDidError,
  isCanonicalDid,
  livePath,
  normalizeDid,
  normalizeTrait,
  type SearchQueryInput,
  type SearchResult,
  toServerName,
  visibleText,
} from "@app-registry/sdk";
import { getDidHost } from "@app-registry/sdk/internal";
import { z } from "zod";
import { outwardStates } from "../../record/facts.ts";
import { ApiProblem, problemResponse } from "../http/problem.ts";
import { respondWithEtag, sharedJsonHeaders } from "../http/request.ts";
import * as routes from "../http/route.ts";
import { defineRoute, noStore, type Route } from "../http/route.ts";
import { searchTurns } from "../http/turns.ts";
import { serverEntry } from "../mcp/serverEntry.ts";
import { searchIndex } from "../records/searchRegistry.ts";
import type { Registry } from "../registry.ts";

/** Media types of entries by the trait of the services. Every other service has the type of its document. */
const ardTypes = {
  "api:mcp": "application/mcp-server-card+json",
  "api:a2a": "application/a2a-agent-card+json",
};
const DOCUMENT_TYPE = "application/json";

const SERVER_CARD = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

const attestationSchema = z.object({
  type: z.string().describe("app-registry/ and the fact that passes, such as app-registry/control."),
  uri: z.url().describe("Record with its verification, the document itself, or the live checks."),
  mediaType: z.string(),
  digest: z.string().optional().describe("sha256: or keccak-256: and the hash of the document at `uri`."),
});

/** Entry in the format that ARD 0.9, ARD 0.91 and AI Catalog 1.0 share. Texts are claims of the publisher. */
export const ardEntrySchema = z.object({
  identifier: z.string().describe("urn:air:, the host of the DID, the kind and the name."),
  displayName: z.string(),
  type: z.string(),
  url: z.url().optional().describe("URL of the agent card or of the registered document."),
  data: z.looseObject({}).optional().describe("MCP server card, instead of `url`."),
  description: z.string().optional(),
  tags: z.array(z.string()),
  version: z.string(),
  updatedAt: z.iso.datetime(),
  publisher: z.object({ identifier: z.string(), displayName: z.string() }).describe("What is proven."),
  metadata: z.object({ dataHash: z.string(), dataHashAlgorithm: z.enum(["keccak256", "sha256"]) }),
  trustManifest: z.object({
    identity: z.string().describe("The DID."),
    identityType: z.literal("did"),
    attestations: z.array(attestationSchema),
  }),
});

export type ArdEntry = z.output<typeof ardEntrySchema>;

/**
 * Returns the entry of a search result, of one of `types`. Returns `undefined` if the DID has no host or control does
 * not pass, because the identifier claims the host.
 */
export function toArdEntry(
  result: SearchResult,
  publicUrl: string,
  types?: readonly string[],
): ArdEntry | undefined {
  const { did, version, dataHash, facts, proven } = result;
  const host = getDidHost(did);
  const path = toServerName(did)?.split("/")[1];
  if (
    !facts ||
    !outwardStates[facts.control ?? "unknown"].isListed ||
    host === undefined ||
    path === undefined
  )
    return undefined;
  const name = clean(result.name ?? "", 100) || proven.name;
  const description = clean(result.description ?? "", 1_000);
  const toUrl = (path: string) => new URL(path, publicUrl).href;
  const document = toUrl(dataUrlPath(did, version));
  const server = serverEntry({ ...result, name, description }, publicUrl)?.server;
  const card = result.endpoints?.find((endpoint) => endpoint.name === endpointName("api:a2a"));
  const data = server && { ...server, $schema: SERVER_CARD };
  const contents = [
    ...(data ? [{ kind: "mcp", type: ardTypes["api:mcp"], data }] : []),
    ...(card ? [{ kind: "a2a", type: ardTypes["api:a2a"], url: card.endpoint }] : []),
    ...(server || card ? [] : [{ kind: "service", type: DOCUMENT_TYPE, url: document }]),
  ];
  const content = contents.find(({ type }) => types === undefined || types.includes(type));
  if (!content) return undefined;
  const { kind, ...delivered } = content;
  const dataHashAlgorithm = result.dataHashAlgorithm === 1 ? "sha256" : "keccak256";
  const digest = `${dataHashAlgorithm.replace("keccak", "keccak-")}:${dataHash.slice(2)}`;
  const record = toUrl(`/api${appPath(did, version)}`);
  const live = toUrl(livePath(did, version));
  const attestations = Object.entries({ control: record, content: document, attested: record, live })
    .filter(([fact]) => facts[fact as keyof typeof facts] === "pass")
    .map(([fact, uri]) => ({
      type: `app-registry/${fact}`,
      uri,
      mediaType: "application/json",
      ...(fact === "content" && { digest }),
    }));
  return {
    identifier: ["urn:air", host, kind, path].join(":"),
    displayName: name,
    ...delivered,
    ...(description && { description }),
    tags: result.traits,
    version,
    updatedAt: new Date(result.updatedAt * 1_000).toISOString(),
    publisher: { identifier: did, displayName: proven.name },
    metadata: { dataHash, dataHashAlgorithm },
    trustManifest: { identity: did, identityType: "did", attestations },
  };
}

const clean = (text: string, length: number): string => visibleText(text.slice(0, length).toWellFormed());

const text = z.string().trim().min(1).max(200);
const many = z.union([text.transform((value) => [value]), z.array(text).min(1).max(20)]).optional();
const one = <Value extends z.ZodType>(value: Value) =>
  z.union([value, z.tuple([value]).transform(([only]) => only as z.output<Value>)]).optional();

/** Converts a host to its DID. Another port is another host. */
const hostDid = z.string().transform((host, context) => {
  try {
    return normalizeDid(`did:web:${host.replaceAll(":", "%3A")}`);
  } catch (error) {
    if (!(error instanceof InvalidDidError)) throw error;
    context.addIssue({ code: "custom", message: "must be a host" });
    return z.NEVER;
  }
});

const filterFields = {
  type: many,
  tags: many,
  publisher: one(hostDid),
  "trustManifest.identity": one(z.string().refine(isCanonicalDid, "must be a DID")),
  "trustManifest.attestations.type": one(
    z.enum(["app-registry/control", "app-registry/content", "app-registry/attested"]),
  ),
};
const filterSchema = z
  .strictObject(filterFields, {
    error: ({ code }) =>
      code === "unrecognized_keys" ? `Filter by ${Object.keys(filterFields).join(", ")} only.` : undefined,
  })
  .optional()
  .describe("Entries must match every field. Only type or tags may list several values: one must match.");

type ArdFilter = z.output<typeof filterSchema>;

const context = z
  .union([z.string(), z.looseObject({}), z.array(z.unknown())])
  .optional()
  .describe("JSON-LD context (ARD 0.91). Ignored: filters use only the terms of ARD itself.");
const pageToken = z.string().optional().describe("pageToken of the previous page. Absent on the last page.");

/** Body of POST /search in ARD 0.9 and 0.91. */
const searchRequestSchema = z.strictObject({
  query: z.strictObject({ "@context": context, text, filter: filterSchema }),
  federation: z.enum(["auto", "referrals", "none"]).default("auto").describe("Results are always its own."),
  pageSize: z.int().min(1).max(100).default(10),
  pageToken,
});

export const searchResponseSchema = z.object({
  results: z.array(
    ardEntrySchema.extend({
      score: z.int().min(0).max(100).describe("Falls with the rank. Never a measure of trust."),
      source: z.url(),
    }),
  ),
  referrals: z.array(z.unknown()).optional().describe("Empty. Only with federation: referrals."),
  pageToken,
});
/** Problem to report while only the chain is available. */
const INDEX_REQUIRED = {
  parameter: "query",
  message: "requires the search index, which is unavailable",
};

/** Maximum number of pages of the index to read for one page of entries. */
const MAX_READS = 5;

/** Returns the base URL of this registry's ARD API. */
const ardUrl = (publicUrl: string): string => new URL("/api/ard/", publicUrl).href;

/** Answers POST /search. A page may have fewer results than requested. */
async function searchArd(
  { query: { text: q, filter }, federation, ...page }: z.output<typeof searchRequestSchema>,
  registry: Registry,
): Promise<z.output<typeof searchResponseSchema>> {
  const { entries, place, ...next } = await listEntries(registry, filter, q, page);
  const source = ardUrl(registry.environment.publicUrl);
  const toScore = (index: number) => Math.round(100 / (1 + (place + index) / 20));
  return {
    results: entries.map((entry, index) => ({ ...entry, score: toScore(index), source })),
    ...(federation === "referrals" && { referrals: [] }),
    ...next,
  };
}

/** Lists the entries of a page. `place` is the number of entries on the pages before. */
async function listEntries(
  registry: Registry,
  filter: ArdFilter,
  q: string,
  { pageSize, pageToken }: { pageSize: number; pageToken?: string | undefined },
) {
  const filtered = toArdSearch(filter);
  let { place, cursor } = readToken(pageToken);
  const entries: ArdEntry[] = [];
  for (let reads = 0; filtered && reads < MAX_READS && entries.length < pageSize; reads++) {
    const query = { ...filtered, q, limit: pageSize - entries.length, ...(cursor && { cursor }) };
    const { results, nextCursor } = await searchIndex(registry, query, INDEX_REQUIRED);
    for (const result of results) {
      const entry = toArdEntry(result, registry.environment.publicUrl, filter?.type);
      if (entry) entries.push(entry);
    }
    cursor = nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  return { entries, place, ...(cursor && { pageToken: `${place + entries.length}.${cursor}` }) };
}

function readToken(token: string | undefined): { place: number; cursor?: string | undefined } {
  if (token === undefined) return { place: 0 };
  // A cursor of digits only comes from the chain, which this API does not list.
  const [, place, cursor] = /^(\d{1,6})\.(?=.*[^\d])([\w-]{1,4000})$/.exec(token) ?? [];
  if (place !== undefined) return { place: Number(place), cursor };
  const detail = "Send the pageToken of the previous page unchanged.";
  throw new ApiProblem(400, "invalid-page-token", "Invalid pageToken", { detail });
}

/**
 * Converts a filter to a search, or to `undefined` if nothing can match it.
 *
 * @throws ApiProblem 400 `invalid-filter` for a filter that the index can't apply.
 */
function toArdSearch(filter: ArdFilter = {}): SearchQueryInput | undefined {
  const { type, tags, publisher, "trustManifest.identity": did } = filter;
  if (type?.includes(DOCUMENT_TYPE)) throw invalidFilter(`type doesn't find ${DOCUMENT_TYPE}`);
  const types =
    type && Object.entries(ardTypes).flatMap(([trait, each]) => (type.includes(each) ? trait : []));
  const groups = [types, tags?.flatMap(toTrait)].filter((group) => group !== undefined);
  if (groups.some(({ length }) => length === 0)) return undefined;
  if (groups.length > 1 && groups.flat().length > 2) {
    throw invalidFilter("with both type and tags, give one value of each");
  }
  const fact = filter["trustManifest.attestations.type"]?.slice("app-registry/".length);
  return {
    ...{ status: "active", control: "pass" },
    ...(groups.length > 0 && { traits: groups.flat(), match: groups.length > 1 ? "all" : "any" }),
    ...(did ? { did } : publisher && { under: publisher }),
    ...(fact && { [fact]: "pass" }),
  };
}

const toTrait = (tag: string): string[] => {
  try {
    return [normalizeTrait(tag)];
  } catch {
    return [];
  }
};

const invalidFilter = (message: string): ApiProblem =>
  new ApiProblem(400, "invalid-filter", "Invalid filter", { detail: `Change the filter: ${message}.` });

const NAME = "App Registry";

/** Manifest of AI Catalog 1.0, ARD 0.9 and ARD 0.91. */
export const catalogSchema = z.object({
  specVersion: z.literal("1.0"),
  host: z.object({ displayName: z.string(), identifier: z.string(), documentationUrl: z.url() }),
  entries: z.array(
    z.object({
      ...{ identifier: z.string(), displayName: z.string(), type: z.string(), url: z.url() },
      ...{ description: z.string(), tags: z.array(z.string()), representativeQueries: z.array(z.string()) },
    }),
  ),
});

/** Returns the catalog of this registry. Its entry leads to the ARD API, and so to every service. */
export function ownCatalog(publicUrl: string): z.output<typeof catalogSchema> {
  const { href, hostname: identifier } = new URL("/api/openapi.json", publicUrl);
  const entry = {
    identifier: `urn:air:${identifier}:registry`,
    displayName: NAME,
    type: "application/ai-registry+json",
    url: ardUrl(publicUrl),
    description: "Search for services whose publishers proved control of their domains, with the evidence.",
    tags: ["registry", "search", "verification"],
    representativeQueries: [
      "find an MCP server whose publisher controls its domain",
      "check who controls an agent before using it",
    ],
  };
  return {
    specVersion: "1.0",
    host: { displayName: NAME, identifier, documentationUrl: href },
    entries: [entry],
  };
}

/** Problem with the members that clients of ARD read. */
const ardProblemSchema = routes.problemSchema.extend({ errorCode: z.string(), message: z.string() });

function toArdProblem(problem: ApiProblem, { requestId }: { requestId: string }): Response {
  const { httpStatus, message } = problem;
  const known = { 404: "NOT_FOUND", 429: "RATE_LIMIT_EXCEEDED" }[httpStatus];
  const errorCode = known ?? (httpStatus < 500 ? "INVALID_ARGUMENT" : "INTERNAL_ERROR");
  return problemResponse(problem, requestId, { errorCode, message });
}

const serveCatalog = async (request: Request, registry: Registry): Promise<Response> =>
  respondWithEtag(request, JSON.stringify(ownCatalog(registry.environment.publicUrl)), {
    ...sharedJsonHeaders,
    "content-type": "application/ai-catalog+json",
  });

/** Returns the routes of this registry's AI Catalog and of Agentic Resource Discovery (ARD) 0.9 and 0.91. */
export const ardRoutes = (registry: () => Registry): Route[] => [
  ...["ard.json", "ai-catalog.json"].map((file) =>
    defineRoute({
      method: "get",
      path: `/.well-known/${file}`,
      handler: (request) => serveCatalog(request, registry()),
    }),
  ),
  defineRoute({
    method: "post",
    path: "/api/ard/search",
    limits: ["searchClient"],
    inTurn: searchTurns,
    onProblem: toArdProblem,
    onlyReads: true,
    body: searchRequestSchema,
    documented: {
      operationId: "searchArd",
      summary: "Search (ARD) for Active services whose control passes",
      responses: {
        200: routes.answer("A page may have fewer entries than requested.", searchResponseSchema),
      },
      errors: { ...routes.badRequest, ...routes.hidden, ...routes.noIndex },
      problem: ardProblemSchema,
    },
    handler: async (_, { body }) => Response.json(await searchArd(body, registry()), noStore),
  }),
];
