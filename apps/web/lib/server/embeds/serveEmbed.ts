import { formatVersion, parseVersion, type VerificationReport } from "@app-registry/sdk";
import { getBlock } from "viem/actions";
import { readServiceDocument } from "../../service/serviceDocument.ts";
import { verifyService } from "../../service/verifyService.ts";
import { refuseHidden } from "../http/problem.ts";
import { rawPathAfter } from "../http/request.ts";
import { readPath } from "../records/readApp.ts";
import { registry } from "../registry.ts";
import { cacheSeconds, renderBadge, renderCard } from "./embedPictures.tsx";

/** Answers GET /api/badge/{versionedDid} with an SVG badge. */
export async function serveBadge(request: Request): Promise<Response> {
  const report = await readRequestedReport(request, "/api/badge/");
  return new Response(renderBadge(report), { headers: getHeaders("image/svg+xml; charset=utf-8", report) });
}

/** Answers GET /api/card/{versionedDid} with a PNG image. */
export async function serveCard(request: Request): Promise<Response> {
  const report = await readRequestedReport(request, "/api/card/");
  const { did, version } = report;
  const record =
    version && (await registry().client.getVersionRecord({ did, version: parseVersion(version) }));
  const document = record ? await readServiceDocument(record) : undefined;
  const card = renderCard(report, document?.ok ? document.metadata.name : undefined);
  return new Response(await card.arrayBuffer(), { headers: getHeaders("image/png", report) });
}

const getHeaders = (type: string, report: VerificationReport) => ({
  "content-type": type,
  "cache-control": `public, max-age=${cacheSeconds(report)}`,
});

/**
 * Returns the verification report of the version in the path, `<did>` or `<did>/v/<version>`. Shared with the service's
 * page.
 * @throws InvalidDidError, InvalidVersionError, ContractRevertError `AppNotFound`, VersionNotFoundError, ApiProblem 451
 *   `hidden`.
 */
async function readRequestedReport(request: Request, prefix: string): Promise<VerificationReport> {
  const { client, hidden } = registry();
  const { did, ...wanted } = readPath(rawPathAfter(request, prefix));
  refuseHidden(hidden, did);
  const [block, major] = await Promise.all([
    getBlock(client.publicClient),
    wanted.major ?? client.latestMajor(did),
  ]);
  if (wanted.minor === undefined) {
    const { latestVersion } = await client.getAppSummary({ did, major });
    return verifyService({ did, version: formatVersion(latestVersion), block });
  }
  const { version } = await client.getVersionRecord({
    did,
    version: { major, minor: wanted.minor, patch: wanted.patch },
  });
  return verifyService({ did, version: formatVersion(version), block });
}
