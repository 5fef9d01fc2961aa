"use client";

import { parseVersion, readRegistered } from "@app-registry/sdk";
import { useQuery } from "@tanstack/react-query";
import { useRegistryClient } from "../wallet/useRegistryClient.ts";
import type { Draft } from "./draft/draft.ts";
import { canonicalDid } from "./draft/problems.ts";

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
    queryFn: () => readRegistered(client, { did: did ?? "", major: major ?? 0 }),
    enabled: did !== undefined && major !== undefined,
    staleTime: 15_000,
  });
}
