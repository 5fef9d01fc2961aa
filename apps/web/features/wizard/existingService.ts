import {
  type AppRegistryClient,
  compareVersions,
  dataUrlPath,
  formatVersion,
  nextVersions,
  normalizeDid,
  readRegistered,
  type Version,
} from "@app-registry/sdk";
import { readRecordedDocument } from "../../components/record/readRecordedDocument.ts";
import { type Draft, emptyDraft } from "./draft/draft.ts";
import { isJsonObject, type JsonObject } from "./draft/pointer.ts";

/** No record of this DID and major version exists. */
class NoSuchServiceError extends Error {
  override readonly name = "NoSuchServiceError";
}

/** A draft of the next version of a service, and whether its present metadata could be read. */
export interface ExistingService {
  draft: Draft;
  /** Why the present metadata could not be read; the draft then begins without it. */
  metadataProblem: string | undefined;
}

async function readMetadata(did: string, version: Version): Promise<JsonObject> {
  const value = await readRecordedDocument(did, version);
  if (!isJsonObject(value)) throw new Error("The metadata is not a JSON object.");
  return value;
}

/**
 * Prepares the next version of a registered service: its fields as they are, the version one patch higher.
 * @throws {NoSuchServiceError}
 */
export async function loadExistingService(
  client: AppRegistryClient,
  { did: typed, major }: { did: string; major: number },
): Promise<ExistingService> {
  const did = normalizeDid(typed);
  const { record, latestMajor } = await readRegistered(client, { did, major });
  if (!record) throw new NoSuchServiceError(`Major version ${major} of ${did} is not registered.`);
  const path = dataUrlPath(did, record.version);
  const stored = await client.getMetadata(did);
  const onChain = stored !== undefined && compareVersions(stored.version, record.version) === 0;
  const next = nextVersions(record, latestMajor ?? major)[0] ?? record.version;
  const base: Draft = {
    ...emptyDraft(),
    did,
    version: formatVersion(next),
    interfaces: record.interfaces,
    algorithm: record.algorithm,
    contractId: record.contractId,
    fungibleTokenId: record.fungibleTokenId,
    storage: onChain ? "chain" : "url",
    // A URL of the publisher's own names no version of ours, and stays until it is changed.
    dataUrl: new URL(record.dataUrl, "https://unknown.invalid").pathname === path ? "" : record.dataUrl,
  };
  try {
    return {
      draft: { ...base, metadata: await readMetadata(did, record.version) },
      metadataProblem: undefined,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { draft: base, metadataProblem: reason };
  }
}
