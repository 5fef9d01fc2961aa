import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HashAlgorithm, Interfaces } from "@app-registry/sdk";
import { type Abi, createPublicClient, createWalletClient, type Hex, http } from "viem";
import { hardhat } from "viem/chains";
import { DEMO_PUBLISHER_INDEX, localAccount } from "./accounts.ts";
import { localClient } from "./client.ts";
import { rootDirectory } from "./processes.ts";
import { registerService, type Service } from "./registerService.ts";
import { samples } from "./sampleMetadata.ts";
import type { StackUrls } from "./state.ts";

const version = { major: 1, minor: 0, patch: 0 };

/** Registers a dozen varied services on the local stack, one of them an on-chain application. */
export async function registerSampleServices(
  urls: StackUrls & { onProgress: (message: string) => void },
): Promise<void> {
  const account = localAccount(DEMO_PUBLISHER_INDEX);
  const client = await localClient(urls, account);
  const host = new URL(urls.webUrl).host.replace(":", "%3A");
  const services: Service[] = samples.map(({ path, interfaces, metadata }, index) => ({
    did: `did:web:${host}:${path}`,
    version,
    interfaces,
    metadata,
    algorithm: index % 3 === 2 ? HashAlgorithm.sha256 : HashAlgorithm.keccak256,
  }));
  services.push(await onChainService(urls.rpcUrl));
  for (const service of services) {
    await registerService({ client, webUrl: urls.webUrl, publisher: account.address, service });
    urls.onProgress(`  ${service.metadata.name}`);
  }
}

/** Deploys an Ownable contract of the publisher's and describes it as a service. */
async function onChainService(rpcUrl: string): Promise<Service> {
  const transport = http(rpcUrl);
  const publicClient = createPublicClient({ chain: hardhat, transport, pollingInterval: 200 });
  const account = localAccount(DEMO_PUBLISHER_INDEX);
  const walletClient = createWalletClient({ chain: hardhat, transport, account });
  const artifact = join(rootDirectory, "artifacts/contracts/examples/OwnableService.sol/OwnableService.json");
  const { abi, bytecode } = JSON.parse(await readFile(artifact, "utf8")) as { abi: Abi; bytecode: Hex };
  const hash = await walletClient.deployContract({ abi, bytecode, args: [account.address] });
  const { contractAddress } = await publicClient.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error("The sample contract was not deployed");
  const did = `did:pkh:eip155:${hardhat.id}:${contractAddress.toLowerCase()}`;
  return {
    did,
    version,
    interfaces: Interfaces.Contract,
    contractId: `eip155:${hardhat.id}:${contractAddress.toLowerCase()}`,
    metadata: {
      name: "Deposit Box",
      description: "A contract whose owner alone may change its greeting.",
      publisher: "Deposit Box team",
      endpoints: [{ name: "Contract", endpoint: rpcUrl, schemaUrl: "https://deposit-box.example/abi.json" }],
      traits: ["on-chain"],
    },
  };
}
