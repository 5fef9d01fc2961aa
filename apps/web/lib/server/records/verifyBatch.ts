import { getSite } from "@app-registry/outbound/site";
import {
  type VerificationReport,
  type VersionSelector,
  verificationReportSchema,
  verifyApp,
} from "@app-registry/sdk";
import { withTimeout } from "@app-registry/server/async";
import { z } from "zod";
import { ApiProblem, refuseHidden, toApiProblem } from "../http/problem.ts";
import type { Registry } from "../registry.ts";
import { findService } from "./lookup.ts";
import { readLiveFact } from "./readLive.ts";

/** Maximum number of DIDs per request. */
const MAX_DIDS = 50;

/** Number of DIDs of one request that are verified at the same time. */
const CONCURRENCY = 6;

/** Time limit of a whole request, in milliseconds. DIDs that are not verified in time get a timeout problem. */
const TIME_LIMIT = 30_000;

/** Body of POST /api/verify. */
export const verifyRequestSchema = z.strictObject({
  dids: z
    .array(z.string().max(2_048))
    .min(1)
    .max(MAX_DIDS)
    .describe(
      "Services to verify: a plain DID for its highest major, did/v/x.y.z for one version, or a URL or domain.",
    ),
});

const verifyProblemSchema = z.object({
  title: z.string(),
  status: z.int().describe("HTTP status that a single request for this DID would return."),
  code: z.string().describe("Stable error code."),
  detail: z.string().optional(),
  retryable: z.boolean().describe("Whether retrying this DID may succeed."),
});

/** Response of POST /api/verify: one entry per DID, in request order. */
export const verifyResponseSchema = z.object({
  results: z.array(
    z.union([
      z.object({ did: z.string().describe("As given in the request."), report: verificationReportSchema }),
      z.object({ did: z.string().describe("As given in the request."), problem: verifyProblemSchema }),
    ]),
  ),
});

export type VerifyResponse = z.output<typeof verifyResponseSchema>;
type VerifyResult = VerifyResponse["results"][number];

type Source = Pick<Registry, "client" | "environment" | "guardedFetch" | "hidden" | "index">;

/**
 * Returns one result per DID, in request order.
 *
 * @param timeLimit Time limit for all of them, in milliseconds.
 */
export async function verifyBatch(
  source: Source,
  dids: readonly string[],
  timeLimit = TIME_LIMIT,
): Promise<VerifyResult[]> {
  const end = performance.now() + timeLimit;
  const known = new Map<string, VerifyResult>();
  const waiting = [...new Set(dids)];
  const work = async () => {
    for (let did = waiting.shift(); did !== undefined; did = waiting.shift()) {
      known.set(did, await verifyInTime(source, did, end - performance.now()));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return dids.flatMap((did) => known.get(did) ?? []);
}

async function verifyInTime(source: Source, did: string, timeLeft: number): Promise<VerifyResult> {
  try {
    const late = () => {
      throw new ApiProblem(504, "timeout", "Timed out", { retryable: true });
    };
    return {
      did,
      report: await (timeLeft > 0 ? withTimeout(verifyNamed(source, did), timeLeft, late) : late()),
    };
  } catch (error) {
    const { title, httpStatus: status, code, details } = toApiProblem(error);
    const { detail, retryable = false } = details;
    return { did, problem: { title, status, code, ...(detail === undefined ? {} : { detail }), retryable } };
  }
}

/** Verifies a service. @throws ApiProblem 451 `hidden` if the operator hides it. */
export async function verifyOne(
  source: Source,
  wanted: { did: string; version?: VersionSelector | undefined },
): Promise<VerificationReport> {
  const { client, guardedFetch, hidden } = source;
  refuseHidden(hidden, wanted.did);
  return verifyApp({
    client,
    ...wanted,
    siteOf: getSite,
    readLive: ({ did, version }) => readLiveFact(source, did, version),
    fetchDocument: async (url, { signal }) => (await guardedFetch.fetchDocument(url, { signal })).text,
  });
}

const verifyNamed = async (source: Source, text: string) =>
  verifyOne(source, await findService(source, text));
