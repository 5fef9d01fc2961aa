import {
  CDN_LOOP,
  createGuardedFetch,
  type GuardedFetch,
  RecordedDocumentError,
  readRecordedDocument,
} from "@app-registry/outbound";
import { listAddresses, parseJsonStrict, type VersionRecord } from "@app-registry/sdk";
import { once } from "@app-registry/server/async";
import { metrics } from "@app-registry/server/metrics";
import { LRUCache } from "lru-cache";
import { ApiProblem, refuseHidden, toApiProblem } from "../http/problem.ts";
import { getSite } from "../http/rateLimits.ts";
import { rawPathAfter } from "../http/request.ts";
import {
  badRequest,
  contentOfType,
  defineRoute,
  notRegistered,
  type RouteContext,
  unavailable,
  versionedDid,
} from "../http/route.ts";
import { checkTurns, createTurns } from "../http/turns.ts";
import { readPath } from "../records/readApp.ts";
import { type Registry, registry } from "../registry.ts";
import { MAX_PICTURE_BYTES, PictureRefusedError, reencode } from "./reencode.ts";

/** Picture, or the reason it can't be shown. Both are cached so that the host is not requested for every visitor. */
type Picture = { ok: true; webp: Blob } | { ok: false; problem: ApiProblem };

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Maximum size of all cached pictures, and the size counted for a cached problem, in bytes. */
const KEPT_BYTES = 32 * 1024 * 1024;
const PROBLEM_BYTES = 4_096;

const pictures = new LRUCache<string, Picture>({
  maxSize: KEPT_BYTES,
  sizeCalculation: (picture) => (picture.ok ? picture.webp.size : PROBLEM_BYTES),
});
const drawing = new Map<string, Promise<Picture>>();

/**
 * Documents that couldn't be read recently. Without this cache, each picture would wait for the unresponsive host
 * again.
 */
const unreadable = new LRUCache<string, ApiProblem>({ max: 1_000, ttl: MINUTE });

/**
 * Limits fetching and drawing to `slots` pictures in memory for all clients together. A page shows nine pictures;
 * several open pages of one client share a queue.
 */
const runSerially = createTurns({
  ...{ slots: 4, slotsPerClient: 2, waitingPerClient: 40, waiting: 400 },
  busy: new ApiProblem(503, "pictures-busy", "Too many pictures are waiting to be drawn", {
    retryable: true,
    retryAfter: 10,
  }),
});

/** Returns this process's fetcher for pictures. It has the guards of the document fetcher and its own size limit. */
const pictureFetch = once(() =>
  createGuardedFetch({
    maxBytes: MAX_PICTURE_BYTES,
    allowLoopback: registry().environment.allowLoopback,
    onAnswer: (...answer) => metrics().outbound(...answer),
  }),
);

/** Returns true for the members of a document that name a picture. */
const isPicturePointer = (pointer: string): boolean => /^\/(image|screenshotUrls\/\d{1,3})$/.test(pointer);

/**
 * Answers GET /api/picture/{did}/v/{version}?pointer=/image with a picture of a registered version's document,
 * re-encoded as WebP. Only URLs from a document that matches the record are requested. An image of a page gets 204 for
 * a picture that can't be shown, because browsers report every other failure of its host as an error of the page.
 *
 * @throws ApiProblem 404 `picture-not-found`, 451 `hidden`, 502 `picture-unreachable`, 422 `picture-refused`, 503
 *   `pictures-busy`, 508 `picture-loop`.
 */
export async function servePicture(
  request: Request,
  source: Registry,
  context: Pick<RouteContext, "clientAddress">,
  fetcher: Pick<GuardedFetch, "fetch"> = pictureFetch(),
): Promise<Response> {
  try {
    return await readPicture(request, source, context, fetcher);
  } catch (error) {
    const isOfHost = error instanceof ApiProblem && [409, 422, 502].includes(error.httpStatus);
    if (!isOfHost || request.headers.get("sec-fetch-dest") !== "image") throw error;
    const headers = { "cache-control": "public, max-age=60", vary: "sec-fetch-dest" };
    return new Response(null, { status: 204, headers });
  }
}

async function readPicture(
  request: Request,
  source: Registry,
  { clientAddress }: Pick<RouteContext, "clientAddress">,
  fetcher: Pick<GuardedFetch, "fetch">,
): Promise<Response> {
  const { did, major, minor, patch } = readPath(rawPathAfter(request, "/api/picture/"));
  refuseHidden(source.hidden, did);
  const pointer = new URL(request.url).searchParams.get("pointer") ?? "";
  if (!isPicturePointer(pointer))
    throw notFound("Set pointer to /image or to an entry such as /screenshotUrls/0.");
  if (major === undefined || minor === undefined) throw notFound("The path must include a version.");
  if (request.headers.get("cdn-loop")?.includes(CDN_LOOP)) {
    throw new ApiProblem(508, "picture-loop", "The document's picture points back to a registry's server");
  }
  const record = await source.client.getVersionRecord({ did, version: { major, minor, patch } });
  // Include the location in the key. Otherwise someone could register the same document at an unresponsive host and so
  // block the pictures of the original.
  const document = `${record.dataHash} ${record.dataHashAlgorithm} ${record.pointer ?? record.dataUrl}`;
  const key = `${document} ${pointer}`;
  const draw = () => drawPicture(source, record, document, pointer, fetcher);
  const picture =
    pictures.get(key) ??
    (await runSerially(getSite(clientAddress()), () => sharedPicture(key, draw), request.signal));
  if (!picture.ok) throw picture.problem;
  // A Blob is not copied for each response.
  return new Response(picture.webp, {
    headers: {
      "content-disposition": "inline",
      "cache-control": "public, max-age=3600",
      "cross-origin-resource-policy": "same-origin",
    },
  });
}

/** Returns a picture that is cached or being drawn, or draws it. */
async function sharedPicture(key: string, draw: () => Promise<Picture>): Promise<Picture> {
  const known = pictures.get(key) ?? drawing.get(key);
  if (known !== undefined) return known;
  const drawn = draw();
  drawing.set(key, drawn);
  try {
    const picture = await drawn;
    pictures.set(key, picture, { ttl: picture.ok ? HOUR : MINUTE });
    return picture;
  } finally {
    drawing.delete(key);
  }
}

async function drawPicture(
  { client, guardedFetch }: Registry,
  record: VersionRecord,
  document: string,
  pointer: string,
  { fetch }: Pick<GuardedFetch, "fetch">,
): Promise<Picture> {
  const known = unreadable.get(document);
  if (known) throw known;
  let canonical: string;
  try {
    ({ canonical } = await readRecordedDocument({ client, guardedFetch, record }));
  } catch (error) {
    if (!(error instanceof RecordedDocumentError)) throw error;
    const problem = toApiProblem(error);
    unreadable.set(document, problem);
    throw problem;
  }
  const named = listAddresses(record.did, parseJsonStrict(canonical)).find(
    (address) => address.pointer === pointer,
  );
  if (named === undefined) return { ok: false, problem: notFound(`The document has no ${pointer}.`) };
  let bytes: Uint8Array;
  try {
    const response = await fetch(named.url, { headers: { accept: "image/*" } });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { ok: false, problem: unreachable(`The picture's host returned HTTP ${response.status}.`) };
    }
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch {
    return { ok: false, problem: unreachable("The picture's host took too long or sent too much data.") };
  }
  try {
    return { ok: true, webp: new Blob([await reencode(bytes)], { type: "image/webp" }) };
  } catch (error) {
    if (!(error instanceof PictureRefusedError)) throw error;
    const detail = error.message;
    return {
      ok: false,
      problem: new ApiProblem(422, "picture-refused", "Picture not supported", { detail }),
    };
  }
}

const notFound = (detail: string) =>
  new ApiProblem(404, "picture-not-found", "Picture not found", { detail });
const unreachable = (detail: string) =>
  new ApiProblem(502, "picture-unreachable", "Couldn't load the picture", { detail });

/** Only Next can load the code that draws badges and cards. */
const loadEmbeds = () => import("../embeds/embeds.tsx");

/** Returns the routes that draw pictures of services. */
export const pictureRoutes = (registry: () => Registry) => [
  defineRoute({
    method: "get",
    path: "/api/badge/{versionedDid}",
    limits: ["readClient"],
    inTurn: checkTurns,
    documented: {
      operationId: "getBadge",
      summary: "Get a badge that shows what is proven and the service's facts",
      description:
        'Shows "Controlled by example.com", or "Registered under example.com; control not currently proven", and how many ' +
        "facts pass. Contains nothing from the metadata.",
      parameters: [versionedDid("<did>, or <did>/v/<version>.")],
      responses: { 200: contentOfType("image/svg+xml", "The badge. May be cached for a few minutes.") },
      errors: { ...badRequest, ...notRegistered, ...unavailable },
    },
    handler: async (request) => (await loadEmbeds()).serveBadge(request),
  }),
  defineRoute({
    method: "get",
    path: "/api/card/{versionedDid}",
    limits: ["readClient"],
    inTurn: checkTurns,
    documented: {
      operationId: "getCard",
      summary: "Get the share image of a service",
      parameters: [versionedDid("<did>, or <did>/v/<version>.")],
      responses: {
        200: contentOfType(
          "image/png",
          "1200 × 630 image that starts with what is proven. May be cached for a few minutes.",
        ),
      },
      errors: { ...badRequest, ...notRegistered, ...unavailable },
    },
    handler: async (request) => (await loadEmbeds()).serveCard(request),
  }),
  defineRoute({
    method: "get",
    path: "/api/picture/{versionedDid}",
    limits: ["pictureClient"],
    documented: {
      operationId: "getPicture",
      summary: "Get a picture listed in a version's document, re-encoded by this server",
      description:
        "Reads only pictures of a document that hashes to the record: PNG, JPEG, GIF, WebP or AVIF, at most 2 MiB and 24 million " +
        "pixels. Never draws SVG.",
      parameters: [
        versionedDid("<did>/v/<version>."),
        {
          name: "pointer",
          in: "query",
          required: true,
          description: "JSON Pointer to the picture, for example /image or /screenshotUrls/0.",
          schema: { type: "string" },
        },
      ],
      responses: {
        200: contentOfType(
          "image/webp",
          "The picture, at most 1,280 pixels per side. May be cached for an hour.",
        ),
        204: { description: "Instead of 409, 422 and 502 for an image of a page (`Sec-Fetch-Dest: image`)." },
      },
      errors: {
        ...badRequest,
        404: "The version is not registered, or its document doesn't list that picture.",
        409: "The document at dataUrl doesn't match the record.",
        422: "Unsupported picture type, or too large.",
        502: "The picture's host does not serve the picture, or the dataUrl host does not serve the document.",
        503: "The chain is unreachable, or too many pictures are waiting to be rendered (`pictures-busy`). Try again.",
        508: "The request comes from a registry's server, because a document's picture points to another registry's picture.",
      },
    },
    handler: (request, context) => servePicture(request, registry(), context),
  }),
];
