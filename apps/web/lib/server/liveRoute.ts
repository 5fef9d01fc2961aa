import { fetchFromIndexer, parseAnswer } from "@app-registry/server/fetchFromIndexer";
import { z } from "zod";
import { refuseHidden } from "./operator/hiddenServices.ts";
import { ApiProblem } from "./problem.ts";
import { rawPathAfter } from "./rawPathAfter.ts";
import { readPath } from "./readApp.ts";
import { indexedLivePath, readLiveRecord } from "./readLive.ts";
import type { Registry } from "./registry.ts";

/**
 * Body of POST /api/live/{versionedDid}. It has no members, but a JSON body prevents other sites' forms from sending
 * it.
 */
export const checkNowRequestSchema = z.strictObject({});

/** Response body of POST /api/live/{versionedDid}. */
export const checkNowSchema = z.object({
  nextAt: z.int().describe("When the check runs: now, or as soon as the host allows. Unix seconds."),
});

const createIndexUnavailable = () =>
  new ApiProblem(503, "index-unavailable", "Search index unavailable", {
    detail: "Live checks are stored in the search index, which is unavailable or being built.",
    retryable: true,
  });

const notRegistered = () => new ApiProblem(404, "app-not-found", "This service is not registered");

type LiveRouteSource = Pick<Registry, "environment" | "client" | "hidden">;

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
export async function serveLive(request: Request, source: LiveRouteSource): Promise<Response> {
  const { did, major } = await readRequestedRecord(request, source);
  const record = await readLiveRecord(source, did, major);
  if (record === undefined) throw createIndexUnavailable();
  if (record === "missing") throw notRegistered();
  return Response.json(record, { headers: { "cache-control": "no-cache" } });
}

/**
 * Answers POST /api/live/{versionedDid} by scheduling a live check for as soon as the host allows.
 *
 * @throws as `serveLive`, and ApiProblem 409 `not-asked`, 429 `asked-recently`.
 */
export async function requestCheck(request: Request, source: LiveRouteSource): Promise<Response> {
  const { did, major } = await readRequestedRecord(request, source);
  const { indexerUrls } = source.environment;
  const answer = await fetchFromIndexer(indexerUrls, indexedLivePath(did, major), { body: {} });
  if (answer?.status === 202) return Response.json(parseAnswer(answer), { status: 202 });
  if (answer?.status === 404) throw notRegistered();
  if (answer?.status === 409) {
    const detail =
      "The service is not Active, its publisher opted out of live checks, or its first check has not been scheduled yet.";
    throw new ApiProblem(409, "not-asked", "This service is not checked", { detail });
  }
  if (answer?.status !== 429) throw createIndexUnavailable();
  const retryAfter = Number(answer.headers["retry-after"]);
  throw new ApiProblem(429, "asked-recently", "This version was checked recently", {
    detail: `See the latest result on the service's page. You can check again in ${retryAfter} seconds.`,
    retryable: true,
    retryAfter,
  });
}
