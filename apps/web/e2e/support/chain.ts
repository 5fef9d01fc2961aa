import { createTestClient, http, publicActions } from "viem";
import { hardhat } from "viem/chains";

/** Account of "Test account <number>" in the local chain's wallet list. */
export { localAccount as testAccount } from "../../../../scripts/stack/accounts.ts";

/** RPC endpoint of the local chain under test. */
export const RPC_URL = process.env.E2E_RPC_URL ?? "http://127.0.0.1:8545";

/** Creates a client that reads and controls the local chain. */
export const testChain = () =>
  createTestClient({ mode: "hardhat", chain: hardhat, transport: http(RPC_URL) }).extend(publicActions);

/** Moves the chain's clock forward. */
export async function passTime(seconds: number): Promise<void> {
  await testChain().increaseTime({ seconds });
  await testChain().mine({ blocks: 1 });
}
