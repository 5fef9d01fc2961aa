import { parseSnapshotManifest, type SnapshotList, snapshotManifestSchema } from "@app-registry/sdk";
import { snapshotDaySchema } from "@app-registry/sdk/internal";
import { readAnswer } from "@app-registry/server/askIndexer";
import { z } from "zod";
import { freshJson, hasEtag, respondWithEtag } from "./conditional.ts";
import { indexAnswer } from "./indexAnswer.ts";
import { ApiProblem } from "./problem.ts";
import type { Registry } from "./registry.ts";

type Source = Pick<Registry, "environment">;

/** Which snapshots are asked for. */
export const snapshotsQuerySchema = z.strictObject({
  limit: z.string().regex(/^\d+$/).optional().describe("Manifests per page, 1 to 100 (default 30)."),
  cursor: z.optional(snapshotDaySchema).describe("`nextCursor` from the previous page."),
});

const indexPageSchema = z.object({
  snapshots: z.array(snapshotManifestSchema),
  nextCursor: z.nullable(snapshotDaySchema),
});

/**
 * Answers GET /api/snapshots with the manifests, the newest first, and who signed the newest of all.
 * @throws as `indexAnswer`.
 */
export async function serveSnapshots(request: Request, { environment }: Source): Promise<Response> {
  const { search, searchParams } = new URL(request.url);
  const read = async (query: string) =>
    indexPageSchema.parse(readAnswer(await indexAnswer(environment, `/snapshots${query}`)));
  const page = await read(search);
  const newest = searchParams.has("cursor") ? await read("?limit=1") : page;
  const list: SnapshotList = { signer: newest.snapshots[0]?.signer ?? null, ...page };
  return respondWithEtag(request, JSON.stringify(list), freshJson);
}

/** A snapshot never changes, and its place is another one's never. */
const forGood = { "cache-control": "public, max-age=31536000, immutable" };

/**
 * Answers GET /api/snapshots/{day}.json with a day's manifest, and {day}.ndjson with its file, part after part. A file
 * that breaks off is no snapshot: it has fewer bytes than the answer's Content-Length.
 * @throws ApiProblem 404 `not-found`, 410 `snapshot-gone`, and as `indexAnswer`.
 */
export async function serveSnapshot(request: Request, { environment }: Source): Promise<Response> {
  const file = new URL(request.url).pathname.split("/").at(-1) ?? "";
  const [, day, format] = /^(\d{4}-\d\d-\d\d)\.(json|ndjson)$/.exec(file) ?? [];
  if (day === undefined) throw new ApiProblem(404, "not-found", "Snapshot not found");
  const manifest = parseSnapshotManifest(readAnswer(await indexAnswer(environment, `/snapshots/${day}`)));
  if (format === "json") {
    const headers = { "content-type": "application/json", ...forGood };
    return respondWithEtag(request, JSON.stringify(manifest), headers);
  }
  // Weak, because what stands before this server may compress the body.
  const headers = { "content-type": "application/x-ndjson", etag: `W/"${manifest.sha256}"`, ...forGood };
  if (hasEtag(request, headers.etag)) return new Response(null, { status: 304, headers });
  const length = { "content-length": String(manifest.bytes) };
  if (manifest.bytes === 0) return new Response("", { headers: { ...headers, ...length } });
  const readPart = async (place: number) =>
    (await indexAnswer(environment, `/snapshots/${day}/${place}`)).bytes;
  const first = await readPart(0).catch((error: unknown) => {
    if (!(error instanceof ApiProblem) || error.httpStatus !== 404) throw error;
    throw new ApiProblem(410, "snapshot-gone", "Snapshot file no longer available");
  });
  return new Response(partsFrom(first, manifest.bytes, readPart), { headers: { ...headers, ...length } });
}

/** A file of `bytes` in parts, of which one is read ahead of the reader. */
function partsFrom(
  first: Uint8Array<ArrayBuffer>,
  bytes: number,
  readPart: (place: number) => Promise<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let place = 0;
  let left = bytes;
  return new ReadableStream(
    {
      async pull(controller) {
        const part = place === 0 ? first : await readPart(place);
        place++;
        left -= part.length;
        controller.enqueue(part);
        if (left <= 0) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
