import { readFile } from "node:fs/promises";
import {
  canonicalizeValue,
  createAppRegistryClient,
  dataHash,
  didHash,
  parseDeployment,
  traitHash,
} from "@app-registry/sdk";
import { appRegistryAbi, resolverAbi } from "@app-registry/sdk/abi";
import {
  type Address,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  publicActions,
  walletActions,
  withRetry,
} from "viem";
import { hardhat } from "viem/chains";
import { ISSUER_INDEX, localAccount } from "../scripts/stack/accounts.ts";
import { type BenchRecord, recordAt } from "./search/data/records.ts";
import type { Chain } from "./stack.ts";

/** Account that mints the records and controls them. */
export const publisher = localAccount(1).address as Address;
export const issuer = localAccount(ISSUER_INDEX).address as Address;

/** Records whose transactions are sent together, and mined in one block. */
const RECORDS_PER_BLOCK = 100;

/** Ponder takes a block that thirty others follow for final; behind these, every record is. */
const BLOCKS_BEHIND = 40;

/** A chain on which records are registered. */
export type Registry = Awaited<ReturnType<typeof openRegistry>>;

/** Opens a chain's registry. */
async function openRegistry({ url, deploymentFile }: Chain) {
  const deployment = parseDeployment(JSON.parse(await readFile(deploymentFile, "utf8")));
  const { AppRegistry, ResolverWithStore } = deployment.contracts;
  const transport = http(url);
  const chain = createTestClient({ chain: hardhat, mode: "hardhat", transport, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions);

  /** Sends the calls of one account, whose earlier ones are mined, to a contract; they come with the next block. */
  async function send(account: Address, to: Address, calls: readonly Hex[]): Promise<Hex[]> {
    // Without a nonce the chain would run the whole unfinished block for each transaction to find one.
    const nonce = await chain.getTransactionCount({ address: account });
    const sent = calls.map((data, place) => {
      const call = { account, to, data, nonce: nonce + place, gas: 8_000_000n, chain: null };
      // The chain may close an idle connection while a request is on its way.
      return withRetry(() => chain.sendTransaction(call));
    });
    return Promise.all(sent);
  }

  return {
    chain,
    client: createAppRegistryClient({ deployment, publicClient: chain }),
    attest: (records: readonly BenchRecord[]) =>
      send(issuer, ResolverWithStore.address, [attestCall(records)]),
    mint: (records: readonly BenchRecord[]) => send(publisher, AppRegistry.address, records.map(mintCall)),
  };
}

const attestCall = (records: readonly BenchRecord[]): Hex =>
  encodeFunctionData({
    abi: resolverAbi,
    functionName: "attestDIDBatch",
    args: [records.map(({ did }) => ({ didHash: didHash(did), controller: publisher, expiresAt: 0n }))],
  });

function mintCall({ did, interfaces, major, contractId, metadata }: BenchRecord): Hex {
  const json = canonicalizeValue(metadata);
  const hashes = [dataHash(json, 0), 0, "", contractId, major, 0, 0, metadata.traits.map(traitHash)] as const;
  const dataUrl = `https://registry.example/${major}/${did}`;
  const args = [did, interfaces, dataUrl, ...hashes, json] as const;
  return encodeFunctionData({ abi: appRegistryAbi, functionName: "mint", args });
}

/** Registers the first `count` records, a hundred in a block, and lets every one of them become final. */
export async function publishRecords(
  target: Chain,
  count: number,
): Promise<Registry & { records: BenchRecord[] }> {
  const registry = await openRegistry(target);
  const { chain, client, attest, mint } = registry;
  const records = Array.from({ length: count }, (_, index) => recordAt(index));
  await chain.setAutomine(false);
  await chain.setBlockGasLimit({ gasLimit: 2_000_000_000n });
  for (let start = 0; start < count; start += RECORDS_PER_BLOCK) {
    const some = records.slice(start, start + RECORDS_PER_BLOCK);
    await attest(some);
    await chain.mine({ blocks: 1 });
    await mint(some);
    await chain.mine({ blocks: 1 });
  }
  // One by one: blocks that `hardhat_mine` reserves together have hashes that don't stay.
  for (let block = 0; block < BLOCKS_BEHIND; block++) await chain.mine({ blocks: 1 });
  const published = Number(await client.totalSupply());
  if (published !== count) throw new Error(`${published} of ${count} records were registered.`);
  return { ...registry, records };
}

/** Asks every 20 ms until the answer is true. */
export async function untilTrue(isTrue: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await isTrue()); ) {
    if (Date.now() > deadline) throw new Error("Nothing came of it within 30 s.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
