"use client";

import { type AppSummary, searchPageSchema } from "@app-registry/sdk";
import { useQuery } from "@tanstack/react-query";
import type { Address } from "viem";
import { useRegistryClient } from "../wallet/useRegistryClient.ts";

/** A record that a wallet holds, with the name that the index has of it. */
export interface OwnedService {
  record: AppSummary;
  /** Undefined while the index is away or has not read the metadata. */
  name: string | undefined;
}

async function readNames(owner: Address): Promise<Map<string, string>> {
  const query = new URLSearchParams({ owner, status: "any", limit: "100" });
  const response = await fetch(`/api/search?${query}`);
  const page = searchPageSchema.safeParse(response.ok ? await response.json() : undefined);
  const results = page.success ? page.data.results : [];
  return new Map(results.flatMap(({ tokenId, name }) => (name === undefined ? [] : [[tokenId, name]])));
}

/** The records that a wallet holds, as the chain says now, newest first; names come from the index where it answers. */
export function useOwnedServices(owner: Address | undefined) {
  const client = useRegistryClient();
  return useQuery({
    queryKey: ["owned", client.deployment.chainId, owner],
    enabled: owner !== undefined,
    queryFn: async (): Promise<OwnedService[]> => {
      if (owner === undefined) return [];
      const names = readNames(owner).catch(() => new Map<string, string>());
      const records: AppSummary[] = [];
      for await (const record of client.listByOwner({ owner })) records.push(record);
      const known = await names;
      return records.reverse().map((record) => ({ record, name: known.get(String(record.tokenId)) }));
    },
  });
}
