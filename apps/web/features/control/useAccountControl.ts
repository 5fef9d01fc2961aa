"use client";

import { useQuery } from "@tanstack/react-query";
import type { Address } from "viem";
import { useRegistryClient } from "../wallet/useRegistryClient.ts";
import { readAccountControl } from "./readAccountControl.ts";

/** Milliseconds between two looks at the chain while an account does not count. */
const POLL_MS = 5_000;

/** What the resolver says of a wallet and a DID; with `watch`, it is asked again until the wallet counts. */
export function useAccountControl(did: string, account: Address, { watch = false } = {}) {
  const client = useRegistryClient();
  return useQuery({
    queryKey: ["controller", client.deployment.chainId, did, account],
    queryFn: () => readAccountControl(client, { did, account }),
    refetchInterval: ({ state }) => (watch && !state.data?.controller.counts ? POLL_MS : false),
  });
}
