import { createGuardedFetch, type GuardedFetch, readRecordedDocument } from "@app-registry/outbound";
import { addressesOf, parseJsonStrict, type VersionRecord } from "@app-registry/sdk";
import { once } from "@app-registry/server/once";
import { RecentAnswers } from "@app-registry/server/RecentAnswers";
import { refuseHidden } from "../operator/hiddenServices.ts";
import { ApiProblem } from "../problem.ts";
import { readPath } from "../readApp.ts";
import { type Registry, registry } from "../registry.ts";
import { rawPathAfter } from "../route.ts";
import { MAX_PICTURE_BYTES, PictureRefusedError, reencode } from "./reencode.ts";

/** A picture, or why there is none; either is kept, so that its host is not asked for every visitor. */
type Picture = { ok: true; webp: Buffer<ArrayBuffer> } | { ok: false; problem: ApiProblem };

const HOUR = 3_600_000;
const MINUTE = 60_000;

const pictures = new RecentAnswers<Picture>(100);

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
 * @throws ApiProblem 404 `picture-not-found`, 451 `hidden`, 502 `picture-unreachable`, 422 `picture-refused`.
 */
export async function servePicture(
  request: Request,
  source: Registry,
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
  const picture = await pictures.get(
    key,
    ({ ok }) => (ok ? HOUR : MINUTE),
    () => drawPicture(source, record, pointer, fetcher),
  );
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
    return { ok: true, webp: await inTurn(() => reencode(bytes)) };
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

let last: Promise<unknown> = Promise.resolve();

/** Pictures are drawn one after another, so that a page with twenty leaves the server a core. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = last.then(work, work);
  last = turn.catch(() => undefined);
  return turn;
}
