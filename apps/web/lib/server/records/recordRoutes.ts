import { requestProbe, secondsBetweenChecks } from "@app-registry/index/live";
import { DOCUMENT_QUEUE, offchainSchema } from "@app-registry/index/workerTables";
import { createSqlJobQueue } from "@app-registry/outbound/internal";
import {
  allowlistQuerySchema,
  allowlistSchema,
  didHash,
  liveRecordSchema,
  lookupSchema,
  searchPageSchema,
  searchQuerySchema,
} from "@app-registry/sdk";
import { z } from "zod";
import { accountQuerySchema, serveAccount } from "../accounts/accountRoutes.ts";
import { ensAddressSchema, serveEnsAddress } from "../accounts/ensName.ts";
import { accountSchema } from "../accounts/readAccount.ts";
import { ApiProblem, refuseHidden } from "../http/problem.ts";
import { rawPathAfter, sharedForBlock } from "../http/request.ts";
import {
  answer,
  anyJson,
  badRequest,
  contentOfType,
  defineRoute,
  hidden,
  noIndex,
  notModified,
  notRegistered,
  unavailable,
  versionedDid,
} from "../http/route.ts";
import { checkTurns, searchTurns } from "../http/turns.ts";
import { requireIndex } from "../readIndex.ts";
import type { Registry } from "../registry.ts";
import { serveAllowlist, serveExport } from "./exports.ts";
import {
  lookupQuerySchema,
  serveLookup,
  serveSuggestions,
  suggestionsSchema,
  suggestQuerySchema,
} from "./lookup.ts";
import { appResponseSchema, readApp, readPath } from "./readApp.ts";
import { readLiveRow } from "./readLive.ts";
import { serveSearch } from "./searchRegistry.ts";
import { serveDataUrl } from "./serveDataUrl.ts";

/**
 * Body of POST /api/live/{versionedDid}. It has no members, but a JSON body prevents other sites' forms from sending
 * it.
 */
const checkNowRequestSchema = z.strictObject({});

/** Response body of POST /api/live/{versionedDid}. */
const checkNowSchema = z.object({
  nextAt: z.int().describe("When the check runs: now, or as soon as the host allows. Unix seconds."),
});

/** Beginning of the sentence that says what is missing without the index. */
const LIVE_CHECKS = "Live checks come";

const unregistered = () => new ApiProblem(404, "app-not-found", "This service is not registered");

type LiveRouteSource = Pick<Registry, "client" | "index" | "hidden">;

/** Reads the DID and major in the path. A path without a version means the latest major. */
async function readRequestedRecord(request: Request, { client, hidden }: LiveRouteSource) {
  const { did, major } = readPath(rawPathAfter(request, "/api/live/"));
  refuseHidden(hidden, did);
  return { did, major: major ?? (await client.latestMajor(did)) };
}

/**
 * Answers GET /api/live/{versionedDid} with the live check results of that DID and major.
 *
 * @throws ApiProblem 404 `app-not-found`, 451 `hidden`, 503 `index-unavailable`; InvalidDidError, InvalidVersionError.
 */
async function serveLive(request: Request, source: LiveRouteSource): Promise<Response> {
  const { did, major } = await readRequestedRecord(request, source);
  const record = await requireIndex(source, LIVE_CHECKS, (session) => readLiveRow(session, did, major));
  if (record === "missing") throw unregistered();
  return Response.json(record, { headers: { "cache-control": "no-cache" } });
}

/**
 * Answers POST /api/live/{versionedDid} by scheduling a live check for as soon as the host allows.
 *
 * @throws as `serveLive`, and ApiProblem 409 `not-asked`, 429 `asked-recently`.
 */
async function requestCheck(
  request: Request,
  source: LiveRouteSource & Pick<Registry, "database" | "environment">,
): Promise<Response> {
  const { did, major } = await readRequestedRecord(request, source);
  const { chainId } = source.environment;
  // The index may be read from a standby, to which no job can be written.
  const queue = createSqlJobQueue(
    async (text, values) => (await source.database.query(text, values)).rows,
    `"${offchainSchema(chainId)}"`,
    DOCUMENT_QUEUE.scope,
  );
  const asking = { now: Date.now() / 1_000, betweenChecks: secondsBetweenChecks(chainId), queue };
  const checked = await requireIndex(source, LIVE_CHECKS, (session) =>
    requestProbe(session, { didHash: didHash(did), major }, asking),
  );
  if (checked === "not-found") throw unregistered();
  if (checked === "not-asked") {
    const detail =
      "The service is not Active, its publisher opted out of live checks, or its first check has not been scheduled yet.";
    throw new ApiProblem(409, "not-asked", "This service is not checked", { detail });
  }
  if ("nextAt" in checked) return Response.json(checked, { status: 202 });
  const { retryAfter } = checked;
  throw new ApiProblem(429, "asked-recently", "This version was checked recently", {
    detail: `See the latest result on the service's page. You can check again in ${retryAfter} seconds.`,
    retryable: true,
    retryAfter,
  });
}

/** Returns the routes that read records. */
export const recordRoutes = (registry: () => Registry) => [
  defineRoute({
    method: "get",
    path: "/api/data-url/{versionedDid}",
    limits: ["readClient"],
    inTurn: checkTurns,
    documented: {
      operationId: "getMetadata",
      summary: "Get the canonical metadata document of a version",
      description:
        "Reads the JSON from the chain, or from its dataUrl. A full x.y.z may be cached forever. x.y means its latest patch and " +
        "must be revalidated. A document that doesn't hash to the record is never returned.",
      parameters: [versionedDid("<did>/v/<major.minor> or <did>/v/<major.minor.patch>.")],
      responses: {
        200: anyJson(
          "The document as RFC 8785 text. Its hash is the recorded dataHash, which is also the ETag. If Cache-Status is set, the chain " +
            "is unreachable and this is the copy of the exact version that was served earlier.",
        ),
        304: { description: "The ETag in If-None-Match is the recorded dataHash." },
      },
      errors: {
        ...badRequest,
        404: "The version was never registered.",
        409: "The document at dataUrl doesn't match the record.",
        502: "The host of dataUrl does not serve the document.",
        ...unavailable,
        508: "The dataUrl points back to this server, and the JSON is not on the chain.",
      },
    },
    handler: (request) => serveDataUrl(request, registry()),
  }),
  defineRoute({
    method: "get",
    path: "/api/suggest",
    limits: ["searchClient"],
    inTurn: searchTurns,
    documented: {
      operationId: "suggest",
      summary: "Get search suggestions",
      description:
        "Returns up to five names, three publishers and three traits. All of them are claimed, not verified.",
      query: suggestQuerySchema,
      responses: { 200: answer("Suggestions, best first.", suggestionsSchema), ...notModified },
      errors: { ...badRequest, ...noIndex },
    },
    handler: (request) => serveSuggestions(request, registry()),
  }),
  defineRoute({
    method: "get",
    path: "/api/export/{table}",
    limits: ["searchClient"],
    inTurn: searchTurns,
    documented: {
      operationId: "exportTable",
      summary: "Export a table of the search index",
      description:
        "The header Link (rel=next) leads to the next page, and Index-Block is the block that the page reflects. Addresses and " +
        "hashes are lower-case hex, times are Unix seconds, and 256-bit numbers are strings. Hidden services are left out.",
      parameters: [
        {
          name: "table",
          in: "path",
          required: true,
          description:
            "Table name, for example apps, versions, documents, issuers or did-attestations. See the documentation for all tables.",
          schema: { type: "string" },
        },
        {
          name: "limit",
          in: "query",
          required: false,
          description: "Rows per page, 1 to 1,000 (default 1,000).",
          schema: { type: "string", pattern: "^\\d+$" },
        },
        {
          name: "cursor",
          in: "query",
          required: false,
          description: "Cursor from the previous page's Link header (rel=next).",
          schema: { type: "string" },
        },
      ],
      responses: { 200: contentOfType("application/x-ndjson", "One row per line, sorted by key.") },
      errors: { ...badRequest, 404: "Table not found.", ...noIndex },
    },
    handler: (request) => serveExport(request, registry()),
  }),
  defineRoute({
    method: "get",
    path: "/api/search",
    limits: ["searchClient"],
    inTurn: searchTurns,
    documented: {
      operationId: "searchApps",
      summary: "Search registered services",
      description:
        "While the search index is unavailable, the chain answers (`source: chain`), in order of token id and without counts. " +
        "Parameters that the chain can't answer then return 503 `index-unavailable`.",
      query: searchQuerySchema,
      responses: { 200: answer("A page of results.", searchPageSchema), ...notModified },
      errors: { ...badRequest, ...hidden, 503: "Both the search index and the chain are unavailable." },
    },
    handler: (request, { count, clientAddress }) =>
      serveSearch(request, registry(), (points) => count("readClient", clientAddress(), points)),
  }),
  defineRoute({
    method: "get",
    path: "/api/lookup",
    limits: ["searchClient"],
    inTurn: searchTurns,
    documented: {
      operationId: "lookUpServices",
      summary: "Look up the services of a URL, domain, account or token",
      description:
        "Compares URLs by scheme, host, port, path and query, without one trailing slash, and follows no redirect. " +
        "Only services in `exact` prove the subject.",
      query: lookupQuerySchema,
      responses: { 200: answer("Services by what they prove.", lookupSchema), ...notModified },
      errors: { ...badRequest, ...hidden, ...noIndex },
    },
    handler: (request) => serveLookup(request, registry()),
  }),
  defineRoute({
    method: "get",
    path: "/api/allowlist",
    limits: ["searchClient"],
    inTurn: checkTurns,
    documented: {
      operationId: "getAllowlist",
      summary: "Get a client's list of allowed MCP servers, with the record that proves each",
      description:
        "Lists services whose facts pass at the latest block, by their exact URLs. `file` is what the client reads. Checks at most 100 " +
        "services and counts each as a read.",
      query: allowlistQuerySchema,
      responses: { 200: answer("The list, as canonical JSON (RFC 8785).", allowlistSchema), ...notModified },
      errors: {
        ...badRequest,
        ...hidden,
        422: "More than 100 services match (`too-many-services`).",
        ...unavailable,
        504: "The chain did not respond in time.",
      },
    },
    handler: (request, context) => serveAllowlist(request, registry(), context),
  }),
  defineRoute({
    method: "get",
    path: "/api/apps/{versionedDid}",
    // Requests for JSON at a service's page arrive with the page's path.
    match: ["/api/apps/:did{.+}", "/apps/:did{.+}"],
    limits: ["readClient"],
    inTurn: checkTurns,
    documented: {
      operationId: "getApp",
      summary: "Get a record with its metadata and verification report",
      description: "A plain DID means the latest version of its latest major.",
      parameters: [versionedDid("<did>, or <did>/v/<version>.")],
      responses: { 200: answer("The record.", appResponseSchema) },
      errors: { ...badRequest, ...notRegistered, ...hidden, ...unavailable },
    },
    handler: async (request) =>
      Response.json(await readApp(request, registry()), {
        headers: { "cache-control": sharedForBlock },
      }),
  }),
  defineRoute({
    method: "get",
    path: "/api/live/{versionedDid}",
    limits: ["readClient"],
    documented: {
      operationId: "getLive",
      summary: "Get the live check history of a service",
      description: "Reports what this registry was served when it last checked the service's endpoints.",
      parameters: [versionedDid("<did>, or <did>/v/<version>: the record of that major.")],
      responses: { 200: answer("Live check results of the record.", liveRecordSchema) },
      errors: { ...badRequest, ...notRegistered, ...hidden, ...noIndex },
    },
    handler: (request) => serveLive(request, registry()),
  }),
  defineRoute({
    method: "post",
    path: "/api/live/{versionedDid}",
    limits: ["readClient", "importClient"],
    body: checkNowRequestSchema,
    documented: {
      operationId: "checkNow",
      summary: "Request a live check (at most once every ten minutes)",
      description: "A version that was checked within the last ten minutes returns 429 `asked-recently`.",
      parameters: [versionedDid("<did>, or <did>/v/<version>: the record of that major.")],
      responses: {
        202: answer(
          "Check scheduled for as soon as the host allows. Use GET to read the result.",
          checkNowSchema,
        ),
      },
      errors: {
        ...badRequest,
        ...notRegistered,
        409: "This service is not checked (`not-asked`).",
        ...hidden,
        ...noIndex,
      },
    },
    handler: (request) => requestCheck(request, registry()),
  }),
  defineRoute({
    method: "get",
    path: "/api/accounts/{address}",
    limits: ["searchClient"],
    inTurn: searchTurns,
    documented: {
      operationId: "getAccount",
      summary:
        "Get what an account holds, minted, controls or is waiting to control, and who else is requesting control of the same DIDs",
      parameters: [{ name: "address", in: "path", required: true, schema: { type: "string" } }],
      query: accountQuerySchema,
      responses: { 200: answer("Current state of the search index.", accountSchema) },
      errors: { 404: "Not an address.", 503: "The search index or the chain is unavailable." },
    },
    handler: (request) => serveAccount(request, registry()),
  }),
  defineRoute({
    method: "get",
    path: "/api/ens/{name}",
    limits: ["searchClient"],
    inTurn: searchTurns,
    documented: {
      operationId: "getEnsAddress",
      summary: "Get the account that an ENS name on Ethereum names",
      parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }],
      responses: { 200: answer("The account of the name.", ensAddressSchema) },
      errors: {
        404: "No such name, or this registry doesn't read Ethereum.",
        503: "Ethereum is unavailable.",
      },
    },
    handler: (request) => serveEnsAddress(request, registry()),
  }),
];
