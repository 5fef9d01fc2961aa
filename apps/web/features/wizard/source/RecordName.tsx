"use client";

import type { SearchPage, SearchResult } from "@app-registry/sdk";
import { requestJson } from "@app-registry/sdk/internal";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { z } from "zod/mini";
import { kindText, shortHex } from "../../../components/record/labels.tsx";
import { claimedName } from "../../../lib/record/claims.ts";
import { useWallet } from "../../wallet/useRegistryClient.ts";

/** Returns the query of the search index for the record of a DID's highest major; `null` without one. */
export const recordQuery = (did: string) =>
  queryOptions({
    queryKey: ["record", did],
    queryFn: async (): Promise<SearchResult | null> => {
      const path = `/api/search?${new URLSearchParams({ did, status: "any" })}`;
      const { results } = await requestJson({ baseUrl: location.origin }, path, z.custom<SearchPage>());
      return results.toSorted((one, other) => other.major - one.major)[0] ?? null;
    },
    retry: false,
  });

/** Names the record of a DID by its claimed name, its kind and the account that registered it. */
export function RecordName({ did }: { did: string }) {
  const { data: record } = useQuery(recordQuery(did));
  const { address } = useWallet();
  if (!record) return "its record";
  const name = claimedName(record.name ?? "");
  return (
    <>
      {name === "" ? null : (
        <>
          <q>
            <bdi>{name}</bdi>
          </q>
          ,{" "}
        </>
      )}
      {kindText(record)}, registered by{" "}
      {record.minter === address ? (
        "your wallet"
      ) : (
        <code title={record.minter}>{shortHex(record.minter)}</code>
      )}
    </>
  );
}
