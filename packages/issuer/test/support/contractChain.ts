import { deployOpenZeppelin } from "@app-registry/test-kit/deployContracts";
import { type Address, createPublicClient, createTestClient, type Hex, http, pad } from "viem";
import { hardhat } from "viem/chains";
import { sharedFixture } from "./issuerFixture.ts";

let nextAddress = 0x1000;

/** Returns the shared chain, with functions that create contracts. */
export async function contractChain() {
  const { rpcUrl } = await sharedFixture();
  const client = createPublicClient({ chain: hardhat, transport: http(rpcUrl) });
  const test = createTestClient({ chain: hardhat, mode: "hardhat", transport: http(rpcUrl) });

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
