import { type Deployment, LOCAL_CHAIN_ID } from "@app-registry/sdk";
import { type Chain, defineChain } from "viem";

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
