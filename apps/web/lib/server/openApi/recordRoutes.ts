import { liveRecordSchema, searchPageSchema, searchQuerySchema } from "@app-registry/sdk";
import { checkNowRequestSchema, checkNowSchema } from "../liveRoute.ts";
import { accountSchema } from "../readAccount.ts";
import { appResponseSchema } from "../readApp.ts";
import { suggestionsSchema, suggestQuerySchema } from "../suggest.ts";
import {
  answer,
  anyJson,
  badRequest,
  body,
  bodyProblems,
  contentOfType,
  get,
  hidden,
  notModifiedResponse,
  notRegistered,
  otherSite,
  post,
  problems,
  queryParameters,
  rateLimitedResponse,
  unavailable,
  versionedDid,
} from "./builders.ts";

/** Routes that read records. */
export const recordRoutes = {
  "/api/data-url/{versionedDid}": get("getMetadata", "Get the canonical metadata document of a version", {
    description:
      "Reads the JSON from the chain, or from its dataUrl. A full x.y.z may be cached forever. x.y means its latest patch and " +
      "must be revalidated. A document that doesn't hash to the record is never returned.",
    parameters: [versionedDid("<did>/v/<major.minor> or <did>/v/<major.minor.patch>.")],
    responses: {
      "200": anyJson(
        "The document as RFC 8785 text. Its hash is the recorded dataHash, which is also the ETag. If Cache-Status is set, the chain " +
          "is unreachable and this is the copy of the exact version that was served earlier.",
      ),
      "304": { description: "The ETag in If-None-Match is the recorded dataHash." },
      ...rateLimitedResponse(),
      ...problems({
        ...badRequest,
        404: "The version was never registered.",
        409: "The document at dataUrl doesn't match the record.",
        502: "The host of dataUrl does not serve the document.",
        ...unavailable,
        508: "The dataUrl points back to this server, and the JSON is not on the chain.",
      }),
    },
  }),
  "/api/suggest": get("suggest", "Get search suggestions", {
    description:
      "Returns up to five names, three publishers and three traits. All of them are claimed, not verified.",
    parameters: queryParameters(suggestQuerySchema),
    responses: {
      "200": answer("Suggestions, best first.", suggestionsSchema),
      ...notModifiedResponse,
      ...rateLimitedResponse(),
      ...problems({ ...badRequest, 503: "The search index is unavailable." }),
    },
  }),
  "/api/export/{table}": get("exportTable", "Export a table of the search index", {
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
    responses: {
      "200": contentOfType("application/x-ndjson", "One row per line, sorted by key."),
      ...rateLimitedResponse(),
      ...problems({ ...badRequest, 404: "Table not found.", 503: "The search index is unavailable." }),
    },
  }),
  "/api/search": get("searchApps", "Search registered services", {
    description:
      "While the search index is unavailable, the chain answers (`source: chain`), in order of token id and without counts. " +
      "Parameters that the chain can't answer then return 503 `index-unavailable`.",
    parameters: queryParameters(searchQuerySchema),
    responses: {
      "200": answer("A page of results.", searchPageSchema),
      ...notModifiedResponse,
      ...rateLimitedResponse(),
      ...problems({ ...badRequest, ...hidden, 503: "Both the search index and the chain are unavailable." }),
    },
  }),
  "/api/apps/{versionedDid}": get("getApp", "Get a record with its metadata and verification report", {
    description: "A plain DID means the latest version of its latest major.",
    parameters: [versionedDid("<did>, or <did>/v/<version>.")],
    responses: {
      "200": answer("The record.", appResponseSchema),
      ...rateLimitedResponse(),
      ...problems({
        ...badRequest,
        ...notRegistered,
        ...hidden,
        ...unavailable,
      }),
    },
  }),
  "/api/live/{versionedDid}": {
    ...get("getLive", "Get the live check history of a service", {
      description: "Reports what this registry was served when it last checked the service's endpoints.",
      parameters: [versionedDid("<did>, or <did>/v/<version>: the record of that major.")],
      responses: {
        "200": answer("Live check results of the record.", liveRecordSchema),
        ...rateLimitedResponse(),
        ...problems({ ...badRequest, ...notRegistered, ...hidden, 503: "The search index is unavailable." }),
      },
    }),
    ...post("checkNow", "Request a live check (at most once every ten minutes)", {
      description: "A version that was checked within the last ten minutes returns 429 `asked-recently`.",
      requestBody: body(checkNowRequestSchema),
      parameters: [versionedDid("<did>, or <did>/v/<version>: the record of that major.")],
      responses: {
        "202": answer(
          "Check scheduled for as soon as the host allows. Use GET to read the result.",
          checkNowSchema,
        ),
        ...rateLimitedResponse(),
        ...problems({
          ...badRequest,
          ...otherSite,
          ...bodyProblems,
          ...notRegistered,
          409: "This service is not checked (`not-asked`).",
          ...hidden,
          503: "The search index is unavailable.",
        }),
      },
    }),
  },
  "/api/accounts/{address}": get(
    "getAccount",
    "Get what an account holds, minted, controls or is waiting to control, and who else is requesting control of the same DIDs",
    {
      parameters: [{ name: "address", in: "path", required: true, schema: { type: "string" } }],
      responses: {
        "200": answer("Current state of the search index.", accountSchema),
        ...problems({ 404: "Not an address.", 503: "The search index or the chain is unavailable." }),
      },
    },
  ),
};
