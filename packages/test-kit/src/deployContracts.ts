import { createRequire } from "node:module";
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
import compiled from "../../../contracts/compiled.json" with { type: "json" };
import { localAccount as testAccount } from "../../../scripts/stack/accounts.ts";
import { appRegistryAbi, resolverAbi } from "../../sdk/src/abi/index.ts";
import { computeAbiHash, type Deployment, parseDeployment } from "../../sdk/src/deployment.ts";

/** Resolves packages of the repository's root. */
const require = createRequire(new URL("../../../package.json", import.meta.url));

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

type Artifact = { abi: Abi; bytecode: Hex };

type Contract = keyof typeof compiled.contracts;

const artifacts = compiled.contracts as Record<Contract, Artifact>;

/** Deploys one contract of contracts/compiled.json, by default as test account 0. */
export const deployContract = (
  rpcUrl: string,
  name: Contract,
  args: unknown[],
  account: Account = testAccount(0),
): Promise<Address> => deployArtifact(testClients(rpcUrl, account), artifacts[name], args);

/** Returns the creation code of one contract of contracts/compiled.json, with its arguments. */
export const creationCode = (name: Contract, args: unknown[]): Hex =>
  encodeDeployData({ ...artifacts[name], args });

/** Deploys one contract of OpenZeppelin from the compiled code of its package, as test account 0. */
export async function deployOpenZeppelin(rpcUrl: string, name: string, args: unknown[]): Promise<Address> {
  const artifact = require(`@openzeppelin/contracts/build/contracts/${name}.json`);
  return deployArtifact(testClients(rpcUrl, testAccount(0)), artifact, args);
}

async function deployArtifact({ publicClient, walletClient }: Clients, artifact: Artifact, args: unknown[]) {
  const hash = await walletClient.deployContract({ ...artifact, args });
  const { contractAddress } = await publicClient.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error("The contract was not deployed");
  return getAddress(contractAddress);
}

/** Waiting period of a later attestation in the resolver, in seconds. */
export const maturation = 3600;

/** Time until a challenge can be resolved in the resolver, in seconds. */
export const challengePeriod = 7 * 24 * 3600;

/** Default of the longest lifetime of an attestation in the resolver, in seconds. */
export const maxTtl = 365 * 24 * 3600;

type Options = {
  issuer: Address;
  maxTtl?: number;
  owner?: Account;
  chainId?: number;
};

/** Deploys the three contracts and adds an issuer. `owner` owns the resolver, by default test account 0. */
export async function deployContracts(rpcUrl: string, options: Options): Promise<Deployment> {
  const { issuer, owner = testAccount(0), chainId = hardhat.id } = options;
  const clients = testClients(rpcUrl, owner, chainId);
  const { publicClient, walletClient } = clients;
  const deploy = (name: Contract, ...args: unknown[]) => deployArtifact(clients, artifacts[name], args);
  const deployBlock = Number(await publicClient.getBlockNumber({ cacheTime: 0 })) + 1;
  const times = [maturation, challengePeriod, options.maxTtl ?? maxTtl].map(BigInt);
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
    compiler: { version: "0.8.30", settings: {} },
  });
}
