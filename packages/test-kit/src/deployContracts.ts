import { readFile } from "node:fs/promises";
import {
  type Abi,
  type Account,
  type Address,
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  getAddress,
  type Hex,
  http,
} from "viem";
import { hardhat } from "viem/chains";
import { localAccount as testAccount } from "../../../scripts/stack/accounts.ts";
import { appRegistryAbi, resolverAbi } from "../../sdk/src/abi/index.ts";
import { abiHash, type Deployment, parseDeployment } from "../../sdk/src/deployment.ts";

const artifacts = new URL("../../../artifacts/contracts/", import.meta.url);
const openZeppelin = new URL(
  "../../../node_modules/@openzeppelin/contracts/build/contracts/",
  import.meta.url,
);

export { testAccount };

/** Clients of a local Hardhat chain that see a new block at once. */
export function testClients(rpcUrl: string, account: Account) {
  const shared = { chain: hardhat, transport: http(rpcUrl, { retryCount: 0 }), pollingInterval: 50 };
  return {
    publicClient: createPublicClient(shared),
    walletClient: createWalletClient({ ...shared, account }),
  };
}

/** Deploys one compiled contract of this repository, as test account 0. */
export async function deployContract(rpcUrl: string, path: string, args: unknown[]): Promise<Address> {
  const name = path.split("/").at(-1);
  return deployArtifact(rpcUrl, new URL(`${path}.sol/${name}.json`, artifacts), args);
}

/** What deploys one compiled contract of this repository, wherever it is sent. */
export async function creationCode(path: string, args: unknown[]): Promise<Hex> {
  const name = path.split("/").at(-1);
  const text = await readFile(new URL(`${path}.sol/${name}.json`, artifacts), "utf8");
  return encodeDeployData({ ...(JSON.parse(text) as { abi: Abi; bytecode: Hex }), args });
}

/** Deploys one contract of OpenZeppelin, as its package has it compiled, as test account 0. */
export async function deployOpenZeppelin(rpcUrl: string, name: string, args: unknown[]): Promise<Address> {
  return deployArtifact(rpcUrl, new URL(`${name}.json`, openZeppelin), args);
}

async function deployArtifact(rpcUrl: string, file: URL, args: unknown[]): Promise<Address> {
  const { abi, bytecode } = JSON.parse(await readFile(file, "utf8")) as { abi: Abi; bytecode: Hex };
  const { publicClient, walletClient } = testClients(rpcUrl, testAccount(0));
  const hash = await walletClient.deployContract({ abi, bytecode, args });
  const { contractAddress } = await publicClient.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error(`${file.pathname} was not deployed`);
  return getAddress(contractAddress);
}

/** Deploys the three contracts and authorises an issuer. Owner of the resolver is test account 0. */
export async function deployContracts(
  rpcUrl: string,
  { issuer, maturation = 3_600 }: { issuer: Address; maturation?: number },
): Promise<Deployment> {
  const owner = testAccount(0);
  const { publicClient, walletClient } = testClients(rpcUrl, owner);
  const deployBlock = Number(await publicClient.getBlockNumber({ cacheTime: 0 })) + 1;
  const resolver = await deployContract(rpcUrl, "ResolverWithStore", [owner.address, BigInt(maturation)]);
  const registry = await deployContract(rpcUrl, "AppRegistry", [resolver]);
  const read = { address: registry, abi: appRegistryAbi };
  const metadata = await publicClient.readContract({ ...read, functionName: "metadata" });
  const hash = await walletClient.writeContract({
    address: resolver,
    abi: resolverAbi,
    functionName: "addIssuer",
    args: [issuer],
  });
  await publicClient.waitForTransactionReceipt({ hash });
  return parseDeployment({
    chainId: hardhat.id,
    network: "localhost",
    deployBlock,
    contracts: {
      AppRegistry: { address: registry, abiHash: abiHash("AppRegistry") },
      AppMetadata: { address: metadata, abiHash: abiHash("AppMetadata") },
      ResolverWithStore: { address: resolver, abiHash: abiHash("ResolverWithStore") },
    },
    compiler: { version: "0.8.37", settings: {} },
  });
}
