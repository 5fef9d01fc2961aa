import { deployOpenZeppelin } from "@app-registry/test-kit/deployContracts";
import { freePort } from "@app-registry/test-kit/freePort";
import { startHardhatNode } from "@app-registry/test-kit/hardhatNode";
import { type Address, createPublicClient, createTestClient, type Hex, http, pad } from "viem";
import { hardhat } from "viem/chains";
import { afterAll } from "vitest";

/** Starts a chain for the contracts of a test file, and stops it after the tests. */
export async function startContractChain() {
  const { rpcUrl, stop } = await startHardhatNode(await freePort());
  afterAll(stop);
  const client = createPublicClient({ chain: hardhat, transport: http(rpcUrl) });
  const test = createTestClient({ chain: hardhat, mode: "hardhat", transport: http(rpcUrl) });
  let nextAddress = 0x1000;

  /** Sets runtime code at a new address. */
  async function place(code: string): Promise<Address> {
    const address = pad(`0x${(nextAddress++).toString(16)}`, { size: 20 });
    await test.setCode({ address, bytecode: `0x${code}` });
    return address;
  }

  /** Sets a storage slot to an account (EIP-1967). */
  const setSlot = (address: Address, index: Hex, named: Address) =>
    test.setStorageAt({ address, index, value: pad(named) });

  const deploy = (name: string, args: unknown[]) => deployOpenZeppelin(rpcUrl, name, args);
  return { rpcUrl, client, test, place, setSlot, deploy };
}
