"use client";

import { type AppRegistryClient, createAppRegistryClient } from "@app-registry/sdk";
import { createContext, useCallback, useContext, useMemo } from "react";
import { useAccount, useClient, useConfig } from "wagmi";
import { getConnectorClient } from "wagmi/actions";
import type { RegistryConnection } from "./config.ts";

export const ConnectionContext = createContext<RegistryConnection | undefined>(undefined);

/** The deployment and RPC of this page, as the server named them. */
export function useRegistryConnection(): RegistryConnection {
  const connection = useContext(ConnectionContext);
  if (!connection) throw new Error("useRegistryConnection needs WalletProviders above it.");
  return connection;
}

/** The sdk's client of this page's deployment, for reading. */
export function useRegistryClient(): AppRegistryClient {
  const { deployment } = useRegistryConnection();
  // Without viem's actions on it, most of which no page needs.
  const publicClient = useClient({ chainId: deployment.chainId });
  return useMemo(() => {
    if (!publicClient) throw new Error("The wallet configuration lacks the deployment's chain.");
    return createAppRegistryClient({ deployment, publicClient });
  }, [deployment, publicClient]);
}

/** Opens a client that signs with the wallet as it is connected at that moment. */
export type OpenSigner = () => Promise<AppRegistryClient>;

/** For writing: the wallet is asked for when it is needed, because it may have changed since the page was drawn. */
export function useSigner(): OpenSigner {
  const config = useConfig();
  const { publicClient, deployment } = useRegistryClient();
  return useCallback(async () => {
    const walletClient = await getConnectorClient(config);
    return createAppRegistryClient({ deployment, publicClient, walletClient });
  }, [config, publicClient, deployment]);
}

/** The connected wallet and whether it stands on the registry's chain. */
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
