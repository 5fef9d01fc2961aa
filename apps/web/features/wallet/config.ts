import { type Deployment, LOCAL_CHAIN_ID } from "@app-registry/sdk";
import { type CreateConnectorFn, createConfig, http, injected } from "wagmi";
import { walletConnect } from "wagmi/connectors";
import { chainOf } from "./chain.ts";
import { type Confirmations, testAccounts, testAccountWallet } from "./testWallet.ts";

/** What the pages with a wallet are told by the server. */
export interface RegistryConnection {
  deployment: Deployment;
  rpcUrl: string;
  /** Origin of this registry's web app. */
  publicUrl: string;
  /** Where a wallet that is short of funds gets some; `{address}` in it is the wallet's. */
  faucetUrl?: string | undefined;
  /** Project id of WalletConnect; without one only wallets in the browser are offered. */
  walletConnectProjectId?: string | undefined;
}

/** Ids of connectors: a wallet in the browser that does not announce itself (EIP-6963), and one on another device. */
export const BROWSER_WALLET = "injected";
export const WALLET_CONNECT = "walletConnect";

const browserWallet = () =>
  injected({
    target: {
      id: BROWSER_WALLET,
      name: "Browser Wallet",
      provider: (window) => window?.ethereum,
    },
  });

const remoteWallet = (projectId: string, url: string) =>
  walletConnect({
    projectId,
    showQrModal: false,
    metadata: {
      name: "App Registry",
      description: "A public registry of services",
      url,
      icons: [`${url}/icon.svg`],
    },
  });

/**
 * The wagmi configuration of one deployment: its chain alone, and test accounts where that is the local one. Wallets
 * that announce themselves are added as they do.
 */
export function createWalletConfig(connection: RegistryConnection, confirmations: Confirmations) {
  const { deployment, rpcUrl, publicUrl, walletConnectProjectId } = connection;
  const chain = chainOf(deployment, rpcUrl);
  const isLocal = chain.id === LOCAL_CHAIN_ID;
  const connectors: CreateConnectorFn[] = [
    ...(isLocal ? testAccounts.map((account) => testAccountWallet(account, { chain, confirmations })) : []),
    browserWallet(),
    ...(walletConnectProjectId ? [remoteWallet(walletConnectProjectId, publicUrl)] : []),
  ];
  return createConfig({
    chains: [chain],
    connectors,
    transports: { [chain.id]: http(rpcUrl) },
    // A receipt is shown as soon as it is there; the local chain mines at once.
    pollingInterval: isLocal ? 500 : 4_000,
    ssr: true,
  });
}
