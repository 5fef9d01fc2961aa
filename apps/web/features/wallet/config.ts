import { type Deployment, LOCAL_CHAIN_ID } from "@app-registry/sdk";
import { connectorsForWallets, type WalletList } from "@rainbow-me/rainbowkit";
import { injectedWallet, walletConnectWallet } from "@rainbow-me/rainbowkit/wallets";
import { createConfig, http } from "wagmi";
import { createChain } from "./chain.ts";
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

type CreateWallet = WalletList[number]["wallets"][number];

const FIND_WALLET = "https://ethereum.org/wallets/find-wallet/";

/** The wallet at `window.ethereum`, or where to get one. RainbowKit lists announced wallets on desktops only. */
const browserWallet: CreateWallet = () => ({
  ...injectedWallet(),
  installed: "ethereum" in globalThis,
  downloadUrls: { browserExtension: FIND_WALLET, mobile: FIND_WALLET },
});

/**
 * A wallet on another device, by the code that RainbowKit draws; on a phone, an app of the phone. Under WalletConnect's
 * own id RainbowKit would also offer WalletConnect's window, which the web app does not install.
 */
const remoteWallet: CreateWallet = (parameters) => ({
  ...walletConnectWallet(parameters),
  id: "walletConnectRelay",
  mobile: { getUri: (uri) => uri },
});

/**
 * Creates the wagmi configuration of one deployment: its chain alone, and test accounts where that is the local one.
 * Wallets that announce themselves (EIP-6963) are added as they do.
 */
export function createWalletConfig(connection: RegistryConnection, confirmations: Confirmations) {
  const { deployment, rpcUrl, publicUrl, walletConnectProjectId } = connection;
  const chain = createChain(deployment, rpcUrl);
  const isLocal = chain.id === LOCAL_CHAIN_ID;
  const testWallets = testAccounts.map((account) => testAccountWallet(account, { chain, confirmations }));
  const wallets: WalletList = [
    ...(isLocal ? [{ groupName: "Test accounts", wallets: testWallets }] : []),
    {
      groupName: "Wallets",
      wallets: [browserWallet, ...(walletConnectProjectId === undefined ? [] : [remoteWallet])],
    },
  ];
  return createConfig({
    chains: [chain],
    connectors: connectorsForWallets(wallets, {
      appName: "App Registry",
      appDescription: "A public registry of services",
      appUrl: publicUrl,
      appIcon: `${publicUrl}/icon.svg`,
      projectId: walletConnectProjectId ?? "",
    }),
    transports: { [chain.id]: http(rpcUrl) },
    // A receipt is shown as soon as it is there; the local chain mines at once.
    pollingInterval: isLocal ? 500 : 4_000,
    ssr: true,
  });
}
