import { LOCAL_CHAIN_ID } from "../../sdk/src/local.ts";
import { askServers } from "./servers.ts";

/** Local chain with its own clock, accounts and blocks. */
export type HardhatNode = { rpcUrl: string; stop(): Promise<void> };

/** Starts an empty chain on a port. */
export async function startHardhatNode(port: number, chainId: number = LOCAL_CHAIN_ID): Promise<HardhatNode> {
  const { rpcUrl } = await askServers<{ rpcUrl: string }>("/chains/start", { port, chainId });
  return {
    rpcUrl,
    async stop() {
      await askServers("/chains/stop", { port });
    },
  };
}
