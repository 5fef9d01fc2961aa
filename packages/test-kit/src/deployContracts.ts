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
import { computeAbiHash, type Deployment, parseDeployment } from "../../sdk/src/deployment.ts";

const artifacts = new URL("../../../artifacts/contracts/", import.meta.url);
const openZeppelin = new URL(
  "../../../node_modules/@openzeppelin/contracts/build/contracts/",
  import.meta.url,
);

export { testAccount };

/** Creates clients of a local Hardhat chain that poll every 50 ms. */
export function testClients(rpcUrl: string, account: Account, id: number = hardhat.id) {
  const shared = {
    chain: { ...hardhat, id },
    transport: http(rpcUrl, { retryCount: 0 }),
    pollingInterval: 50,
  };
  return {
    publicClient: createPublicClient(shared),
    walletClient: createWalletClient({ ...shared, account }),
  };
}

type Clients = ReturnType<typeof testClients>;

const toArtifactUrl = (path: string) => new URL(`${path}.sol/${path.split("/").at(-1)}.json`, artifacts);

/** Deploys one compiled contract of this repository, as test account 0. */
export async function deployContract(rpcUrl: string, path: string, args: unknown[]): Promise<Address> {
  return deployArtifact(testClients(rpcUrl, testAccount(0)), toArtifactUrl(path), args);
}

/** Returns the creation code of one compiled contract of this repository, with its arguments. */
export async function creationCode(path: string, args: unknown[]): Promise<Hex> {
  const text = await readFile(toArtifactUrl(path), "utf8");
  return encodeDeployData({ ...(JSON.parse(text) as { abi: Abi; bytecode: Hex }), args });
}

/** Deploys one contract of OpenZeppelin from the compiled code of its package, as test account 0. */
export async function deployOpenZeppelin(rpcUrl: string, name: string, args: unknown[]): Promise<Address> {
  const clients = testClients(rpcUrl, testAccount(0));
  return deployArtifact(clients, new URL(`${name}.json`, openZeppelin), args);
}

async function deployArtifact({ publicClient, walletClient }: Clients, file: URL, args: unknown[]) {
  const { abi, bytecode } = JSON.parse(await readFile(file, "utf8")) as { abi: Abi; bytecode: Hex };
  const hash = await walletClient.deployContract({ abi, bytecode, args });
  const { contractAddress } = await publicClient.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error(`${file.pathname} was not deployed`);
  return getAddress(contractAddress);
}

const DAY = 24 * 3_600;

type Options = {
  issuer: Address;
  maturation?: number;
  challengePeriod?: number;
  maxTtl?: number;
  owner?: Account;
  chainId?: number;
};

/** Deploys the three contracts and adds an issuer. `owner` owns the resolver, by default test account 0. */
export async function deployContracts(rpcUrl: string, options: Options): Promise<Deployment> {
  const { issuer, maturation = 3_600, challengePeriod = 7 * DAY, maxTtl = 365 * DAY } = options;
  const { owner = testAccount(0), chainId = hardhat.id } = options;
  const clients = testClients(rpcUrl, owner, chainId);
  const { publicClient, walletClient } = clients;
  const deploy = (name: string, ...args: unknown[]) => deployArtifact(clients, toArtifactUrl(name), args);
  const deployBlock = Number(await publicClient.getBlockNumber({ cacheTime: 0 })) + 1;
  const times = [maturation, challengePeriod, maxTtl].map(BigInt);
  const resolver = await deploy("ResolverWithStore", owner.address, ...times);
  const registry = await deploy("AppRegistry", resolver);
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
    chainId,
    network: "localhost",
    deployBlock,
    contracts: {
      AppRegistry: { address: registry, abiHash: computeAbiHash("AppRegistry") },
      AppMetadata: { address: metadata, abiHash: computeAbiHash("AppMetadata") },
      ResolverWithStore: { address: resolver, abiHash: computeAbiHash("ResolverWithStore") },
    },
    compiler: { version: "0.8.37", settings: {} },
  });
}
