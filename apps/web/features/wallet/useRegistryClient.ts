"use client";

import { type AppRegistryClient, createAppRegistryClient } from "@app-registry/sdk";
import { createContext, useContext, useMemo } from "react";
import type { Address } from "viem";
import { useAccount, useClient } from "wagmi";
import type { Account } from "../../lib/server/accounts/readAccount.ts";
import type { RegistryConnection } from "./config.ts";

export const ConnectionContext = createContext<RegistryConnection | undefined>(undefined);

/** Returns the deployment and RPC of this page, as provided by the server. */
export function useRegistryConnection(): RegistryConnection {
  const connection = useContext(ConnectionContext);
  if (!connection) throw new Error("useRegistryConnection needs WalletProviders above it.");
  return connection;
}

/** Returns the sdk's read client for this page's deployment. */
export function useRegistryClient(): AppRegistryClient {
  const { deployment } = useRegistryConnection();
  // Use the client without viem's actions, because no page needs most of them.
  const publicClient = useClient({ chainId: deployment.chainId });
  return useMemo(() => {
    if (!publicClient) throw new Error("The wallet configuration lacks the deployment's chain.");
    return createAppRegistryClient({ deployment, publicClient });
  }, [deployment, publicClient]);
}

/** Returns the connected wallet and whether it is on the registry's chain. */
export function useWallet() {
  const { deployment } = useRegistryConnection();
  const { address, chainId, connector, isConnected, isReconnecting } = useAccount();
  return {
    address,
    chainId,
    connectorName: connector?.name,
    isConnected,
    isOpening: isReconnecting,
    isOnRegistryChain: isConnected && chainId === deployment.chainId,
  };
}

/**
 * Fetches the search index's data about a wallet, or `null` if the index is unavailable.
 *
 * @param minBlock Block of the wallet's last transaction, which the index should have
 */
export async function fetchAccount(wallet: Address, minBlock?: number): Promise<Account | null> {
  const query = minBlock === undefined ? "" : `?minBlock=${minBlock}`;
  const response = await fetch(`/api/accounts/${wallet}${query}`).catch(() => undefined);
  return response?.ok ? ((await response.json()) as Account) : null;
}
