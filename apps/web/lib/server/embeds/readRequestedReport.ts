import { formatVersion, type VerificationReport } from "@app-registry/sdk";
import { verifyService } from "../../../features/service/verifyService.ts";
import { rawPathAfter } from "../createRouteHandler.ts";
import { refuseHidden } from "../operator/hiddenServices.ts";
import { readPath } from "../readApp.ts";
import { registry } from "../registry.ts";

/**
 * Returns the verification report of the version in the path, `<did>` or `<did>/v/<version>`. Shared with the service's
 * page.
 * @throws InvalidDidError, InvalidVersionError, ContractRevertError `AppNotFound`, VersionNotFoundError, ApiProblem 451
 *   `hidden`.
 */
export async function readRequestedReport(request: Request, prefix: string): Promise<VerificationReport> {
  const { client, hidden } = registry();
  const { did, ...wanted } = readPath(rawPathAfter(request, prefix));
  refuseHidden(hidden, did);
  const major = wanted.major ?? (await client.latestMajor(did));
  if (wanted.minor === undefined) {
    const { latestVersion } = await client.getAppSummary({ did, major });
    return verifyService({ did, version: formatVersion(latestVersion) });
  }
  const { version } = await client.getVersionRecord({
    did,
    version: { major, minor: wanted.minor, patch: wanted.patch },
  });
  return verifyService({ did, version: formatVersion(version) });
}
