import { createTestClient, http } from "viem";
import { hardhat } from "viem/chains";

/** Creates a client that controls the local chain under test. */
export function testChain() {
  const rpcUrl = process.env.E2E_RPC_URL ?? "http://127.0.0.1:8545";
  return createTestClient({ mode: "hardhat", chain: hardhat, transport: http(rpcUrl) });
}
