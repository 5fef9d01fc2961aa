import {
  liveRecordSchema,
  searchPageSchema,
  searchQuerySchema,
  snapshotListSchema,
  snapshotManifestSchema,
} from "@app-registry/sdk";
import { checkNowSchema } from "../liveRoute.ts";
import { accountSchema } from "../readAccount.ts";
import { appResponseSchema } from "../readApp.ts";
import { snapshotsQuerySchema } from "../snapshots.ts";
import { suggestionsSchema, suggestQuerySchema } from "../suggest.ts";
import {
  answer,
  anyJson,
  badRequest,
  get,
  hidden,
  notRegistered,
  ofType,
  post,
  problems,
  queryParameters,
  tooMany,
  unavailable,
  unchanged,
  versionedDid,
} from "./parts.ts";

const snapshotDay = {
  name: "day",
  in: "path",
  required: true,
  description: "UTC, such as 2026-11-24.",
  schema: { type: "string" },
};

/** Routes that read records. */
export const recordRoutes = {
  "/api/data-url/{versionedDid}": get("getMetadata", "The canonical metadata document of a version", {
    parameters: [versionedDid("<did>/v/<major.minor> or <did>/v/<major.minor.patch>.")],
    responses: {
      "200": anyJson(
        "The RFC 8785 text that hashes to the recorded dataHash, which is the ETag. With Cache-Status, the chain " +
          "does not answer, and this is what was served of an x.y.z before.",
      ),
      "304": { description: "The ETag in If-None-Match is the recorded dataHash." },
      ...tooMany(),
      ...problems({
        ...badRequest,
        404: "The version was never registered.",
        409: "The document at dataUrl is not the recorded one.",
        502: "The host of dataUrl does not serve the document.",
        ...unavailable,
        508: "The dataUrl leads back to this server, and the JSON is not on the chain.",
      }),
    },
  }),
  "/api/suggest": get("suggest", "What a search might mean while it is typed", {
    parameters: queryParameters(suggestQuerySchema),
    responses: {
      "200": answer("Suggestions, best first.", suggestionsSchema),
      ...unchanged,
      ...tooMany(),
      ...problems({ ...badRequest, 503: "The index does not answer." }),
    },
  }),
  "/api/export/{table}": get("exportTable", "The rows of a table of the index, for copies of it", {
    parameters: [
      {
        name: "table",
        in: "path",
        required: true,
        description:
          "apps, versions, documents, issuers, did-attestations and others: see the documentation.",
        schema: { type: "string" },
      },
      {
        name: "limit",
        in: "query",
        required: false,
        description: "Rows of a page, 1 to 1,000 (default).",
        schema: { type: "string", pattern: "^\\d+$" },
      },
      {
        name: "cursor",
        in: "query",
        required: false,
        description: "From the Link header (rel=next) of the page before.",
        schema: { type: "string" },
      },
    ],
    responses: {
      "200": ofType("application/x-ndjson", "A row a line, in the order of their keys."),
      ...tooMany(),
      ...problems({ ...badRequest, 404: "There is no such table.", 503: "The index does not answer." }),
    },
  }),
  "/api/snapshots": get("listSnapshots", "The signed snapshots of what services answered, a day each", {
    parameters: queryParameters(snapshotsQuerySchema),
    responses: {
      "200": answer("A page of manifests, the newest first.", snapshotListSchema),
      ...unchanged,
      ...tooMany(),
      ...problems({ ...badRequest, 503: "The index does not answer." }),
    },
  }),
  "/api/snapshots/{day}.json": get("getSnapshotManifest", "What is signed of a day's snapshot", {
    parameters: [snapshotDay],
    responses: {
      "200": answer("The manifest.", snapshotManifestSchema),
      ...unchanged,
      ...tooMany(),
      ...problems({ 404: "There is no snapshot of this day.", 503: "The index does not answer." }),
    },
  }),
  "/api/snapshots/{day}.ndjson": get("getSnapshot", "A day's snapshot, as its manifest hashes it", {
    parameters: [snapshotDay],
    responses: {
      "200": ofType("application/x-ndjson", "A record a line, by token id, each in canonical form (JCS)."),
      ...unchanged,
      ...tooMany(),
      ...problems({
        404: "There is no snapshot of this day.",
        410: "It is no longer kept (`snapshot-gone`); its manifest is.",
        503: "The index does not answer.",
      }),
    },
  }),
  "/api/search": get("searchApps", "Search the registered services", {
    parameters: queryParameters(searchQuerySchema),
    responses: {
      "200": answer("A page of results.", searchPageSchema),
      ...unchanged,
      ...tooMany(),
      ...problems({ ...badRequest, ...hidden, 503: "Neither the index nor the chain can answer now." }),
    },
  }),
  "/api/apps/{versionedDid}": get("getApp", "A record with its metadata and a verification report", {
    parameters: [versionedDid("<did>, or <did>/v/<version>.")],
    responses: {
      "200": answer("The record.", appResponseSchema),
      ...tooMany(),
      ...problems({
        ...badRequest,
        ...notRegistered,
        ...hidden,
        ...unavailable,
      }),
    },
  }),
  "/api/live/{versionedDid}": {
    ...get("getLive", "What the registry's prober was served by a service, and when", {
      parameters: [versionedDid("<did>, or <did>/v/<version>: the record of that major.")],
      responses: {
        "200": answer("What the prober knows of the record.", liveRecordSchema),
        ...tooMany(),
        ...problems({ ...badRequest, ...notRegistered, ...hidden, 503: "The index does not answer." }),
      },
    }),
    ...post("checkNow", "Have a service asked now, at most once in ten minutes", {
      parameters: [versionedDid("<did>, or <did>/v/<version>: the record of that major.")],
      responses: {
        "202": answer("It is asked as soon as its host allows; GET has the answer then.", checkNowSchema),
        ...tooMany(),
        ...problems({
          ...badRequest,
          ...notRegistered,
          409: "The prober does not ask this service (`not-asked`).",
          ...hidden,
          503: "The index does not answer.",
        }),
      },
    }),
  },
  "/api/accounts/{address}": get(
    "getAccount",
    "What an account holds, minted, controls or waits for, and who asks to control the same DIDs",
    {
      parameters: [{ name: "address", in: "path", required: true, schema: { type: "string" } }],
      responses: {
        "200": answer("As the index has it.", accountSchema),
        ...problems({ 404: "This is no address.", 503: "The index or the chain does not answer." }),
      },
    },
  ),
};
