"use client";

import { type AppRegistryClient, createAppRegistryClient } from "@app-registry/sdk";
import { useMemo } from "react";
import { useAccount, usePublicClient, useWalletClient } from "wagmi";
import { useRegistryConnection } from "./WalletProviders.tsx";

/** The sdk's client of this page's deployment; it can write once a wallet is connected. */
export function useRegistryClient(): AppRegistryClient {
  const { deployment } = useRegistryConnection();
  const publicClient = usePublicClient({ chainId: deployment.chainId });
  const { data: walletClient } = useWalletClient();
  return useMemo(() => {
    if (!publicClient) throw new Error("The wallet configuration lacks the deployment's chain.");
    return createAppRegistryClient({ deployment, publicClient, ...(walletClient && { walletClient }) });
  }, [deployment, publicClient, walletClient]);
}

/** The connected wallet and whether it stands on the registry's chain. */
export function useWallet() {
  const { deployment } = useRegistryConnection();
  const { address, chainId, connector, isConnected, isConnecting, isReconnecting } = useAccount();
  return {
    address,
    chainId,
    connectorName: connector?.name,
    isConnected,
    isOpening: isConnecting || isReconnecting,
    isOnRegistryChain: isConnected && chainId === deployment.chainId,
  };
}
