import { createGuardedFetch, importMcp } from "@app-registry/outbound";
import { HashAlgorithm, Interfaces, MCP_ENDPOINT_NAME, type Metadata } from "@app-registry/sdk";
import { deployContract } from "@app-registry/test-kit/deployContracts";
import type { Account } from "viem";
import { hardhat } from "viem/chains";
import { DEMO_PUBLISHER_INDEX, localAccount } from "./accounts.ts";
import { registerService, type Service } from "./client.ts";
import { samples } from "./sampleMetadata.ts";
import type { StackUrls } from "./state.ts";

/** Path of the sample whose URLs are not proven to belong to its DID, so that the fact *origin* fails. */
const FOREIGN_ORIGIN_SAMPLE = "parcel";

/** Moves the URLs of metadata below the DID's address. */
const belowDid = (metadata: Metadata, path: string, address: string): Metadata =>
  JSON.parse(JSON.stringify(metadata).replaceAll(`https://${path}.example`, address));

/**
 * Registers a dozen varied services on the local stack, among them an on-chain application and the registry's own MCP
 * server.
 */
export async function registerSampleServices(urls: StackUrls): Promise<void> {
  const account = localAccount(DEMO_PUBLISHER_INDEX);
  const { host, origin } = new URL(urls.webUrl);
  const services: Service[] = samples.map(({ path, interfaces, metadata }, index) => ({
    did: `did:web:${host.replace(":", "%3A")}:${path}`,
    interfaces,
    metadata: path === FOREIGN_ORIGIN_SAMPLE ? metadata : belowDid(metadata, path, `${origin}/${path}`),
    algorithm: index % 3 === 2 ? HashAlgorithm.sha256 : HashAlgorithm.keccak256,
  }));
  services.push(await onChainService(urls, account));
  const registerAll = async () => {
    for (const service of services) await registerService(urls, account, service);
  };
  const [registry] = await Promise.all([registryService(origin), registerAll()]);
  await registerService(urls, account, registry);
}

/** Returns the registry itself as a service, with the tools that its MCP server lists. */
async function registryService(origin: string): Promise<Service> {
  // The web app compiles its routes at their first requests.
  const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 60_000 });
  try {
    const endpoint = `${origin}/mcp`;
    const { tools, server } = await importMcp(endpoint, { guardedFetch });
    const entry = { name: MCP_ENDPOINT_NAME, endpoint, tools, instructions: server.instructions };
    const metadata = {
      name: "App Registry",
      description: "Searches this registry, checks its services and says how to connect to them.",
      publisher: "This registry",
      external_url: origin,
      traits: ["api:mcp", "registry"],
      endpoints: [entry],
    };
    const did = `did:web:${new URL(origin).host.replace(":", "%3A")}`;
    return { did, interfaces: Interfaces.Api, metadata: metadata as Metadata };
  } finally {
    await guardedFetch.close();
  }
}

/** Deploys an Ownable contract of the publisher and returns it as a service. */
async function onChainService(urls: StackUrls, account: Account): Promise<Service> {
  const address = await deployContract(urls.rpcUrl, "examples/OwnableService", [account.address], account);
  const contractId = `eip155:${hardhat.id}:${address.toLowerCase()}`;
  return {
    did: `did:pkh:${contractId}`,
    interfaces: Interfaces.Contract,
    contractId,
    metadata: {
      name: "Deposit Box",
      description: "A contract whose owner alone may change its greeting.",
      publisher: "Deposit Box team",
      endpoints: [
        { name: "Contract", endpoint: urls.rpcUrl, schemaUrl: "https://deposit-box.example/abi.json" },
      ],
      traits: ["on-chain"],
    },
  };
}
