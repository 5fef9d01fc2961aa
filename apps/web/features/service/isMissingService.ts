import { ContractRevertError, type VersionedDid, VersionNotFoundError } from "@app-registry/sdk";
import { registry } from "../../lib/server/registry.ts";
import { parseServicePath, type ServicePath } from "./servicePath.ts";
import { withPatience } from "./withPatience.ts";

/** Milliseconds after which the page is left to say what it finds. */
const PATIENCE = 2_000;

/**
 * Whether the registry surely holds no such service or version. A chain that does not answer in time makes it
 * false: nothing is known then.
 */
export async function isMissingService(rawPath: string): Promise<boolean> {
  const path = parseServicePath(rawPath);
  if (path.kind === "invalid") return true;
  return (await withPatience(isUnregistered(path), PATIENCE)) ?? false;
}

async function isUnregistered(path: Exclude<ServicePath, { kind: "invalid" }>): Promise<boolean> {
  const { client } = registry();
  const { did } = path;
  try {
    if (path.kind === "latest") await client.latestMajor(did);
    else await findVersion(did, path.version);
    return false;
  } catch (error) {
    const isAbsent = error instanceof ContractRevertError && error.errorName === "AppNotFound";
    if (isAbsent || error instanceof VersionNotFoundError) return true;
    throw error;
  }
}

async function findVersion(did: string, wanted: VersionedDid): Promise<void> {
  const { versionHistory } = await registry().client.getApp({ did, major: wanted.major });
  const found = versionHistory.some(
    ({ minor, patch }) => minor === wanted.minor && (wanted.patch === undefined || patch === wanted.patch),
  );
  if (!found) throw new VersionNotFoundError(did, wanted);
}
