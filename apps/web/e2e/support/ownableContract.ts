import { readFileSync } from "node:fs";
import { type Account, type Address, createWalletClient, type Hex, http, publicActions } from "viem";
import { hardhat } from "viem/chains";

const artifact = new URL(
  "../../../../artifacts/contracts/examples/OwnableService.sol/OwnableService.json",
  import.meta.url,
);

/** Deploys an Ownable contract on the local chain, owned by the deploying account. */
export async function deployOwnable(account: Account): Promise<Address> {
  const { abi, bytecode } = JSON.parse(readFileSync(artifact, "utf8")) as { abi: unknown[]; bytecode: Hex };
  const rpcUrl = process.env.E2E_RPC_URL ?? "http://127.0.0.1:8545";
  const client = createWalletClient({ account, chain: hardhat, transport: http(rpcUrl) }).extend(
    publicActions,
  );
  const hash = await client.deployContract({ abi, bytecode, args: [account.address] });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error("The contract was not deployed.");
  return contractAddress;
}
