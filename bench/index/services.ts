import { canonicalizeValue, createAppRegistryClient, dataHash, didHash, traitHash } from "@app-registry/sdk";
import { appRegistryAbi, resolverAbi } from "@app-registry/sdk/abi";
import { type Address, createPublicClient, encodeFunctionData, type Hex, http, toHex } from "viem";
import { type Chain, rpc } from "../../apps/indexer/test/harness/stack.ts";
import { ISSUER_INDEX, localAccount } from "../../scripts/stack/accounts.ts";

const publisher = localAccount(1).address as Address;
const issuer = localAccount(ISSUER_INDEX).address as Address;

/** Services whose transactions are sent together, and mined in one block. */
const SERVICES_PER_BLOCK = 100;

/** Ponder takes a block that thirty others follow for final; behind these, every service is. */
const BLOCKS_BEHIND = 40;

export const didOf = (index: number) => `did:web:service-${index}.example`;

/** A document of about 1 kB, as an API with a few tools has it. */
const documentOf = (index: number) => ({
  name: `Service ${index}`,
  description: `Answers questions about region ${index % 97}, with forecasts, history and warnings for each city.`,
  publisher: `Publisher ${index % 211}`,
  image: `https://service-${index}.example/icon.png`,
  endpoints: [
    {
      name: "MCP",
      endpoint: `https://service-${index}.example/mcp`,
      tools: ["forecast", "history", "warnings"].map((tool) => ({
        name: `get_${tool}`,
        description: `The ${tool} of a city in region ${index % 97}, by day.`,
        inputSchema: { type: "object", properties: { city: { type: "string" } } },
      })),
    },
  ],
  traits: traitsOf(index),
});

const traitsOf = (index: number) => ["api:mcp", `region:${index % 97}`, `topic:${index % 13}`];

/** The call that registers a service. */
export function mintOf(index: number): Hex {
  const text = canonicalizeValue(documentOf(index));
  return encodeFunctionData({
    abi: appRegistryAbi,
    functionName: "mint",
    args: [
      didOf(index),
      2,
      `https://service-${index}.example/metadata.json`,
      dataHash(text, 0),
      0,
      "",
      "",
      1,
      0,
      0,
      traitsOf(index).map(traitHash),
      text,
    ],
  });
}

/** The call that attests the publisher as the controller of services. */
export const attestOf = (indexes: readonly number[]): Hex =>
  encodeFunctionData({
    abi: resolverAbi,
    functionName: "attestDIDBatch",
    args: [
      indexes.map((index) => ({ didHash: didHash(didOf(index)), controller: publisher, expiresAt: 0n })),
    ],
  });

/** Sends the calls of one account, whose earlier ones are mined, to a contract; they come with the next block. */
export async function sendCalls(
  chain: Chain,
  to: "AppRegistry" | "ResolverWithStore",
  calls: readonly Hex[],
) {
  const from = to === "AppRegistry" ? publisher : issuer;
  const { address } = chain.deployment.contracts[to];
  // Without a nonce the chain would run the whole unfinished block for each transaction to find one.
  const nonce = Number(await rpc(chain.rpcUrl, "eth_getTransactionCount", [from, "latest"]));
  return Promise.all(
    calls.map((data, position) => {
      const place = { nonce: toHex(nonce + position), gas: toHex(8_000_000) };
      return rpc(chain.rpcUrl, "eth_sendTransaction", [
        { from, to: address, data, ...place },
      ]) as Promise<string>;
    }),
  );
}

/** Registers `count` services, a hundred in a block, and lets every one of them become final. */
export async function publishServices(chain: Chain, count: number): Promise<void> {
  await rpc(chain.rpcUrl, "evm_setAutomine", [false]);
  await rpc(chain.rpcUrl, "evm_setBlockGasLimit", [toHex(2_000_000_000)]);
  for (let start = 0; start < count; start += SERVICES_PER_BLOCK) {
    const length = Math.min(SERVICES_PER_BLOCK, count - start);
    const indexes = Array.from({ length }, (_, i) => start + i);
    await sendCalls(chain, "ResolverWithStore", [attestOf(indexes)]);
    await rpc(chain.rpcUrl, "evm_mine", []);
    await sendCalls(chain, "AppRegistry", indexes.map(mintOf));
    await rpc(chain.rpcUrl, "evm_mine", []);
  }
  // One by one: blocks that `hardhat_mine` reserves together have hashes that don't stay.
  for (let block = 0; block < BLOCKS_BEHIND; block++) await rpc(chain.rpcUrl, "evm_mine", []);
  const client = createAppRegistryClient({
    deployment: chain.deployment,
    publicClient: createPublicClient({ transport: http(chain.rpcUrl) }),
  });
  const published = Number(await client.totalSupply());
  if (published !== count) throw new Error(`${published} of ${count} services were registered.`);
}
