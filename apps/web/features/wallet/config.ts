import { type Deployment, LOCAL_CHAIN_ID } from "@app-registry/sdk";
import { connectorsForWallets, type WalletList } from "@rainbow-me/rainbowkit";
import { injectedWallet, walletConnectWallet } from "@rainbow-me/rainbowkit/wallets";
import { type Chain, defineChain } from "viem";
import { createConfig, http } from "wagmi";
import { type Confirmations, testAccounts, testAccountWallet } from "./testWallet.ts";

/** Connection data that the server passes to pages with a wallet. */
export interface RegistryConnection {
  deployment: Deployment;
  rpcUrl: string;
  /** Origin of this registry's web app. */
  publicUrl: string;
  /** Package of the guard of MCP servers, as `npx` takes it. */
  guardPackage: string | undefined;
  /** URL of a faucet. `{address}` is replaced by the wallet's address. */
  faucetUrl?: string | undefined;
  /** Project id of WalletConnect. Without it only wallets in the browser are offered. */
  walletConnectProjectId?: string | undefined;
}

type CreateWallet = WalletList[number]["wallets"][number];

const FIND_WALLET = "https://ethereum.org/wallets/find-wallet/";

/**
 * Offers the wallet at `window.ethereum`, or a link for getting one. RainbowKit lists announced wallets only on
 * desktops.
 */
const browserWallet: CreateWallet = () => ({
  ...injectedWallet(),
  installed: "ethereum" in globalThis,
  downloadUrls: { browserExtension: FIND_WALLET, mobile: FIND_WALLET },
});

/**
 * Offers a wallet on another device through RainbowKit's QR code, or on a phone through an app. The custom id avoids
 * WalletConnect's own dialog, which this web app does not install.
 */
const remoteWallet: CreateWallet = (parameters) => ({
  ...walletConnectWallet(parameters),
  id: "walletConnectRelay",
  mobile: { getUri: (uri) => uri },
});

/**
 * Creates the wagmi configuration of one deployment: its chain, and the test accounts if the chain is local. Wallets
 * that announce themselves (EIP-6963) are added automatically.
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
    // Poll faster on the local chain, which mines immediately, so that receipts appear soon.
    pollingInterval: isLocal ? 500 : 4_000,
    ssr: true,
  });
}

/** Converts a deployment to the chain definition for wallets and viem. */
export function createChain(deployment: Deployment, rpcUrl: string): Chain {
  const local = deployment.chainId === LOCAL_CHAIN_ID;
  return defineChain({
    id: deployment.chainId,
    name: local ? "Local chain" : deployment.network,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    testnet: true,
  });
}
