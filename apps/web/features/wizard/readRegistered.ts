import { type AppRegistryClient, ContractRevertError } from "@app-registry/sdk";
import type { RegisteredDid, RegisteredRecord } from "./draft/versionRules.ts";

/** What a read answers, or undefined when the registry says that there is no such record. */
async function unlessAbsent<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ContractRevertError && error.errorName === "AppNotFound") return undefined;
    throw error;
  }
}

/** Reads what is registered of a DID, and the record of one of its major versions. */
export async function readRegistered(
  client: AppRegistryClient,
  did: string,
  major: number,
): Promise<RegisteredDid> {
  const [latestMajor, summary] = await Promise.all([
    unlessAbsent(client.latestMajor(did)),
    unlessAbsent(client.getAppSummary({ did, major })),
  ]);
  const record: RegisteredRecord | undefined = summary && {
    tokenId: summary.tokenId,
    version: summary.latestVersion,
    interfaces: summary.interfaces,
    dataUrl: summary.dataUrl,
    dataHash: summary.dataHash,
    algorithm: summary.dataHashAlgorithm,
    contractId: summary.contractId,
    fungibleTokenId: summary.fungibleTokenId,
    hasTraits: summary.traitHashes.length > 0,
  };
  return { did, latestMajor, record };
}
