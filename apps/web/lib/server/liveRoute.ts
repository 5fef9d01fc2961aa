import { fetchFromIndexer, parseAnswer } from "@app-registry/server/fetchFromIndexer";
import { z } from "zod";
import { type RouteHandler, rawPathAfter } from "./createRouteHandler.ts";
import { refuseHidden } from "./operator/hiddenServices.ts";
import { ApiProblem } from "./problem.ts";
import { readPath } from "./readApp.ts";
import { indexedLivePath, readLiveRecord } from "./readLive.ts";
import type { Registry } from "./registry.ts";
import { readJsonBody } from "./requestBody.ts";

/** Body of POST /api/live/{versionedDid}: it has no member yet, but no page of another site can send it. */
export const checkNowRequestSchema = z.strictObject({});

/** Body of the answer of POST /api/live/{versionedDid}. */
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

/** The record whose version, or whose DID, the path names. */
async function readRequestedRecord(request: Request, { client, hidden }: LiveRouteSource) {
  const { did, major } = readPath(rawPathAfter(request, "/api/live/"));
  refuseHidden(hidden, did);
  return { did, major: major ?? (await client.latestMajor(did)) };
}

/**
 * Answers GET /api/live/{versionedDid}: what the prober knows of the record of that DID and major.
 *
 * @throws ApiProblem 404 `app-not-found`, 451 `hidden`, 503 `index-unavailable`; InvalidDidError, InvalidVersionError.
 */
export const liveHandler =
  (source: () => LiveRouteSource): RouteHandler =>
  async (request) => {
    const { did, major } = await readRequestedRecord(request, source());
    const record = await readLiveRecord(source(), did, major);
    if (record === undefined) throw createIndexUnavailable();
    if (record === "missing") throw notRegistered();
    return Response.json(record, { headers: { "cache-control": "no-cache" } });
  };

/**
 * Answers POST /api/live/{versionedDid}: has the record's service asked as soon as its host allows.
 *
 * @throws as `liveHandler`, and `readJsonBody`, and ApiProblem 409 `not-asked`, 429 `asked-recently`.
 */
export const probeNowHandler =
  (source: () => LiveRouteSource): RouteHandler =>
  async (request, { count, clientAddress }) => {
    await count("importClient", clientAddress());
    await readJsonBody(request, checkNowRequestSchema);
    const { did, major } = await readRequestedRecord(request, source());
    const { indexerUrls } = source().environment;
    const answer = await fetchFromIndexer(indexerUrls, indexedLivePath(did, major), { body: {} });
    if (answer?.status === 202) return Response.json(parseAnswer(answer), { status: 202 });
    if (answer?.status === 404) throw notRegistered();
    if (answer?.status === 409) {
      const detail =
        "It is not Active, its publisher opted out of live checks, or it has not been scheduled yet.";
      throw new ApiProblem(409, "not-asked", "This service is not checked", { detail });
    }
    if (answer?.status !== 429) throw createIndexUnavailable();
    const retryAfter = Number(answer.headers["retry-after"]);
    throw new ApiProblem(429, "asked-recently", "This version was checked recently", {
      detail: `See the latest result on its page. It can be checked again in ${retryAfter} seconds.`,
      retryable: true,
      retryAfter,
    });
  };
