import { createGuardedFetch, type GuardedFetch, readRecordedDocument } from "@app-registry/outbound";
import { addressesOf, parseJsonStrict, type VersionRecord } from "@app-registry/sdk";
import { once } from "@app-registry/server/once";
import { LRUCache } from "lru-cache";
import { refuseHidden } from "../operator/hiddenServices.ts";
import { ApiProblem } from "../problem.ts";
import { readPath } from "../readApp.ts";
import { type Registry, registry } from "../registry.ts";
import { type RouteContext, rawPathAfter } from "../route.ts";
import { MAX_PICTURE_BYTES, PictureRefusedError, reencode } from "./reencode.ts";
import { createTurns, TooManyWaitingError } from "./turns.ts";

/** A picture, or why there is none; either is kept, so that its host is not asked for every visitor. */
type Picture = { ok: true; webp: Buffer<ArrayBuffer> } | { ok: false; problem: ApiProblem };

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Bytes of all pictures that are kept, and what a reason why there is none counts. */
const KEPT_BYTES = 32 * 1024 * 1024;
const PROBLEM_BYTES = 4_096;

const pictures = new LRUCache<string, Picture>({
  maxSize: KEPT_BYTES,
  sizeCalculation: (picture) => (picture.ok ? picture.webp.length : PROBLEM_BYTES),
});
const drawing = new Map<string, Promise<Picture>>();

/**
 * Fetching and drawing take turns: at most `slots` pictures are in memory, before they are drawn, for all clients
 * together. A page shows nine pictures; whoever opens several at once waits in one queue.
 */
const inTurn = createTurns({ slots: 4, slotsPerClient: 2, waitingPerClient: 40, waiting: 400 });

/** The fetcher of this process for pictures: as guarded as the one for documents, with its own limit of bytes. */
const pictureFetch = once(() =>
  createGuardedFetch({
    maxBytes: MAX_PICTURE_BYTES,
    allowLoopback: registry().environment.allowLoopback,
  }),
);

/** The members of a document that name a picture. */
const isPicturePointer = (pointer: string): boolean => /^\/(image|screenshotUrls\/\d{1,3})$/.test(pointer);

/**
 * Answers GET /api/picture/{did}/v/{version}?pointer=/image: a picture that the document of a registered version names,
 * drawn anew as WebP. No other address is asked: the document must hash to the record.
 *
 * @throws ApiProblem 404 `picture-not-found`, 451 `hidden`, 502 `picture-unreachable`, 422 `picture-refused`, 503
 * `pictures-busy`.
 */
export async function servePicture(
  request: Request,
  source: Registry,
  { clientAddress }: Pick<RouteContext, "clientAddress">,
  fetcher: Pick<GuardedFetch, "fetch"> = pictureFetch(),
): Promise<Response> {
  const { did, major, minor, patch } = readPath(rawPathAfter(request, "/api/picture/"));
  refuseHidden(source.hidden, did);
  const pointer = new URL(request.url).searchParams.get("pointer") ?? "";
  if (!isPicturePointer(pointer))
    throw notFound("Set pointer to /image or to an entry such as /screenshotUrls/0.");
  if (major === undefined || minor === undefined) throw notFound("The path must include a version.");
  const record = await source.client.getVersionRecord({ did, version: { major, minor, patch } });
  const key = `${record.dataHash} ${record.dataHashAlgorithm} ${pointer}`;
  const picture =
    pictures.get(key) ??
    (await inTurn(clientAddress(), () =>
      sharedPicture(key, () => drawPicture(source, record, pointer, fetcher)),
    ).catch(refuseToWait));
  if (!picture.ok) throw picture.problem;
  return new Response(picture.webp, {
    headers: {
      "content-type": "image/webp",
      "content-disposition": "inline",
      "cache-control": "public, max-age=3600",
      "cross-origin-resource-policy": "same-origin",
    },
  });
}

/** Returns the picture of a key that is kept or being drawn, else draws it. */
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

function refuseToWait(error: unknown): never {
  if (!(error instanceof TooManyWaitingError)) throw error;
  throw new ApiProblem(503, "pictures-busy", "Too many pictures are waiting to be drawn", {
    retryable: true,
    retryAfter: 10,
  });
}

async function drawPicture(
  { client, guardedFetch }: Registry,
  record: VersionRecord,
  pointer: string,
  { fetch }: Pick<GuardedFetch, "fetch">,
): Promise<Picture> {
  const { canonical } = await readRecordedDocument({ client, guardedFetch, record });
  const named = addressesOf(record.did, parseJsonStrict(canonical)).find(
    (address) => address.pointer === pointer,
  );
  if (named === undefined) return { ok: false, problem: notFound(`The document has no ${pointer}.`) };
  let bytes: Uint8Array;
  try {
    const response = await fetch(named.url, { headers: { accept: "image/*" } });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { ok: false, problem: unreachable(`Its host returned HTTP ${response.status}.`) };
    }
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch {
    return { ok: false, problem: unreachable("Its host took too long or sent too much data.") };
  }
  try {
    return { ok: true, webp: await reencode(bytes) };
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
