"use client";

import { type AppRegistryClient, ContractRevertError, parseVersion } from "@app-registry/sdk";
import { useQuery } from "@tanstack/react-query";
import { useRegistryClient } from "../wallet/useRegistryClient.ts";
import type { Draft } from "./draft/draft.ts";
import { canonicalDid } from "./draft/problems.ts";
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

function majorOf(text: string): number | undefined {
  try {
    return parseVersion(text).major;
  } catch {
    return undefined;
  }
}

/** What the chain says of a draft's DID and major version. */
export function useRegistered(draft: Draft) {
  const client = useRegistryClient();
  const did = canonicalDid(draft.did);
  const major = majorOf(draft.version);
  return useQuery({
    queryKey: ["registered", client.deployment.chainId, did, major],
    queryFn: () => readRegistered(client, did ?? "", major ?? 0),
    enabled: did !== undefined && major !== undefined,
    staleTime: 15_000,
  });
}
