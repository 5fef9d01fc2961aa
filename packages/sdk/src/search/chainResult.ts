import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import type { AppSummary } from "../client/records.ts";
import { parseJsonStrict } from "../json.ts";
import { getProvenSubject } from "../origin.ts";
import { traitHash } from "../traits.ts";
import { formatVersion } from "../version.ts";
import type { SearchResult } from "./searchResult.ts";

type Labels = Pick<SearchResult, "traits" | "name" | "description" | "publisher" | "image">;

/** Converts a record to a search result, without the labels that only its metadata has. */
export const toSearchResult = (record: AppSummary): SearchResult => ({
  did: record.did,
  proven: getProvenSubject(record.did),
  major: record.versionMajor,
  version: formatVersion(record.latestVersion),
  tokenId: String(record.tokenId),
  owner: record.owner,
  minter: record.minter,
  status: record.status,
  interfaces: record.interfaces,
  dataUrl: record.dataUrl,
  dataHash: record.dataHash,
  dataHashAlgorithm: record.dataHashAlgorithm,
  traits: [],
  traitHashes: [...record.traitHashes],
  updatedAt: record.latestVersion.registeredAt,
});

/** Adds name, description and trait strings if the JSON of the record is on the chain. */
export async function withLabels(client: AppRegistryClient, result: SearchResult): Promise<SearchResult> {
  const stored = await client.getMetadata(result.did);
  if (stored?.dataHash !== result.dataHash) return result;
  return { ...result, ...getLabels(parseJsonStrict(stored.json), result) };
}

function getLabels(metadata: unknown, { traitHashes }: SearchResult): Labels {
  if (typeof metadata !== "object" || metadata === null) return { traits: [] };
  const fields = metadata as Record<string, unknown>;
  const traits = Array.isArray(fields.traits)
    ? fields.traits.filter((trait) => typeof trait === "string")
    : [];
  const labels: Labels = { traits: traits.filter((trait) => isTraitRecorded(trait, traitHashes)) };
  for (const name of ["name", "description", "publisher", "image"] as const) {
    const value = fields[name];
    if (typeof value === "string") labels[name] = value;
  }
  return labels;
}

function isTraitRecorded(trait: string, traitHashes: readonly string[]): boolean {
  try {
    return traitHashes.includes(traitHash(trait));
  } catch {
    return false;
  }
}
