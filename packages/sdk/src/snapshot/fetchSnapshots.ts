import * as z from "zod/mini";
import { withTimeLimit } from "../client/timeLimit.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { ServiceError, ServiceUnavailableError } from "../errors/serviceErrors.ts";
import { checksummedAddressSchema, described } from "../schemas.ts";
import { problemOf, readAnswer, requestJson, type ServiceOptions } from "../service/requestJson.ts";
import { type SnapshotManifest, snapshotDaySchema, snapshotManifestSchema } from "./snapshot.ts";

/** The snapshots that a registry's web service has, as `GET /api/snapshots` lists them. */
export const snapshotListSchema = z.object({
  signer: described(
    z.nullable(checksummedAddressSchema),
    "Signer of the newest snapshot; null if there is none. Compare it with the address you know from another source.",
  ),
  snapshots: described(z.array(snapshotManifestSchema), "The newest first."),
  nextCursor: described(z.nullable(snapshotDaySchema), "Of the next page; null on the last one."),
});

export type SnapshotList = z.output<typeof snapshotListSchema>;

/**
 * Path of a day's file (`ndjson`) or its manifest (`json`).
 *
 * @example
 * snapshotPath("2026-11-24", "ndjson"); // "/api/snapshots/2026-11-24.ndjson"
 */
export const snapshotPath = (day: string, format: "json" | "ndjson"): string =>
  `/api/snapshots/${encodeURIComponent(day)}.${format}`;

/**
 * Lists the manifests of a registry's snapshots, the newest first.
 *
 * @throws as `requestJson`.
 * @example
 * const { snapshots } = await fetchSnapshots({ baseUrl });
 * snapshots[0]?.day; // "2026-11-24"
 */
export const fetchSnapshots = ({
  cursor,
  ...options
}: ServiceOptions & { cursor?: string }): Promise<SnapshotList> =>
  requestJson(
    options,
    `/api/snapshots${cursor === undefined ? "" : `?cursor=${encodeURIComponent(cursor)}`}`,
    snapshotListSchema,
  );

/**
 * Reads the manifest of a day's snapshot.
 *
 * @throws as `requestJson`; {@link ServiceError} 404 when none was taken.
 * @example
 * const manifest = await fetchSnapshotManifest({ baseUrl, day: "2026-11-24" });
 * manifest.services; // 0
 */
export const fetchSnapshotManifest = ({
  day,
  ...options
}: ServiceOptions & { day: string }): Promise<SnapshotManifest> =>
  requestJson(options, snapshotPath(day, "json"), snapshotManifestSchema);

/**
 * Downloads a day's file piece by piece, for `verifySnapshot`. `timeoutMs` is for each piece.
 *
 * @throws {ServiceError} 404 when none was taken, 410 when the file is no longer kept; {@link ServiceUnavailableError},
 * also when the download breaks off; {@link TimeLimitError}.
 * @example
 * const day = "2026-11-24";
 * const manifest = await fetchSnapshotManifest({ baseUrl, day });
 * const ndjson = fetchSnapshotFile({ baseUrl, day });
 * (await verifySnapshot({ manifest, ndjson })).ok; // true
 */
export async function* fetchSnapshotFile({
  baseUrl,
  day,
  timeoutMs = 10_000,
}: ServiceOptions & { day: string }): AsyncGenerator<Uint8Array> {
  const url = new URL(snapshotPath(day, "ndjson"), baseUrl).href;
  const stop = new AbortController();
  const inTime = <Result>(run: () => Promise<Result>) => withTimeLimit(url, timeoutMs, run);
  try {
    const response = await inTime(() => fetch(url, { signal: stop.signal }));
    if (!response.ok) {
      const problem = problemOf(await inTime(() => readAnswer(url, response)));
      throw new ServiceError(url, response.status, problem);
    }
    const reader = response.body?.getReader();
    for (;;) {
      const next = await inTime(async () => reader?.read());
      if (!next || next.done) return;
      yield next.value;
    }
  } catch (error) {
    throw error instanceof AppRegistryError ? error : new ServiceUnavailableError(baseUrl, error);
  } finally {
    stop.abort();
  }
}
