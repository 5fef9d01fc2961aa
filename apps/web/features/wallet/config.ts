import { type Deployment, LOCAL_CHAIN_ID } from "@app-registry/sdk";
import { connectorsForWallets, type WalletList } from "@rainbow-me/rainbowkit";
import { injectedWallet, rainbowWallet, walletConnectWallet } from "@rainbow-me/rainbowkit/wallets";
import type { Chain } from "viem";
import { createConfig, http } from "wagmi";
import { chainOf } from "./chain.ts";
import { type Confirmations, testAccounts, testAccountWallet } from "./testWallet.ts";

/** What the pages with a wallet are told by the server. */
export interface RegistryConnection {
  deployment: Deployment;
  rpcUrl: string;
  /** Origin of this registry's web app. */
  publicUrl: string;
  /** Project id of WalletConnect; without one only wallets in the browser are offered. */
  walletConnectProjectId?: string | undefined;
}

function walletList(connection: RegistryConnection, chain: Chain, confirmations: Confirmations): WalletList {
  const remote = connection.walletConnectProjectId ? [rainbowWallet, walletConnectWallet] : [];
  const groups: WalletList = [{ groupName: "Wallets", wallets: [injectedWallet, ...remote] }];
  if (chain.id !== LOCAL_CHAIN_ID) return groups;
  const wallets = testAccounts.map((account) => () => testAccountWallet(account, { chain, confirmations }));
  return [{ groupName: "Local chain", wallets }, ...groups];
}

/** The wagmi configuration of one deployment: its chain alone, and test accounts where that is the local one. */
export function createWalletConfig(connection: RegistryConnection, confirmations: Confirmations) {
  const chain = chainOf(connection.deployment, connection.rpcUrl);
  return createConfig({
    chains: [chain],
    connectors: connectorsForWallets(walletList(connection, chain, confirmations), {
      appName: "App Registry",
      projectId: connection.walletConnectProjectId ?? "",
    }),
    transports: { [chain.id]: http(connection.rpcUrl) },
    // A receipt is shown as soon as it is there; the local chain mines at once.
    pollingInterval: chain.id === LOCAL_CHAIN_ID ? 500 : 4_000,
    ssr: true,
  });
}
