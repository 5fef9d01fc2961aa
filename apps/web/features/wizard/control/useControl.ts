"use client";

import { useQuery } from "@tanstack/react-query";
import type { Address } from "viem";
import { useRegistryClient } from "../../wallet/useRegistryClient.ts";

/** What the resolver says of a wallet and a DID now. */
export function useControl(did: string, account: Address) {
  const client = useRegistryClient();
  return useQuery({
    queryKey: ["controller", client.deployment.chainId, did, account],
    queryFn: () => client.getController({ did, controller: account }),
  });
}
