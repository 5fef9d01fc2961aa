import { requestProbe, secondsBetweenChecks } from "@app-registry/index/live";
import { DOCUMENT_QUEUE, offchainSchema } from "@app-registry/index/workerTables";
import { createSqlJobQueue } from "@app-registry/outbound/internal";
import { didHash } from "@app-registry/sdk";
import { z } from "zod";
import { refuseHidden } from "./operator/hiddenServices.ts";
import { ApiProblem } from "./problem.ts";
import { rawPathAfter } from "./rawPathAfter.ts";
import { readPath } from "./readApp.ts";
import { requireIndex } from "./readIndex.ts";
import { readLiveRow } from "./readLive.ts";
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

/** Beginning of the sentence that says what is missing without the index. */
const LIVE_CHECKS = "Live checks come";

const notRegistered = () => new ApiProblem(404, "app-not-found", "This service is not registered");

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
export async function serveLive(request: Request, source: LiveRouteSource): Promise<Response> {
  const { did, major } = await readRequestedRecord(request, source);
  const record = await requireIndex(source, LIVE_CHECKS, (session) => readLiveRow(session, did, major));
  if (record === "missing") throw notRegistered();
  return Response.json(record, { headers: { "cache-control": "no-cache" } });
}

/**
 * Answers POST /api/live/{versionedDid} by scheduling a live check for as soon as the host allows.
 *
 * @throws as `serveLive`, and ApiProblem 409 `not-asked`, 429 `asked-recently`.
 */
export async function requestCheck(
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
  if (checked === "not-found") throw notRegistered();
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
