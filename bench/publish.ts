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

/** Account that mints and controls the records. */
export const publisher = localAccount(1).address as Address;
export const issuer = localAccount(ISSUER_INDEX).address as Address;

/** Number of records whose transactions are sent together and mined in one block. */
const RECORDS_PER_BLOCK = 100;

/** Blocks to mine after the last record. Ponder treats a block with 30 confirmations as final. */
const BLOCKS_BEHIND = 40;

/** Chain on which records are registered. */
export type Registry = Awaited<ReturnType<typeof openRegistry>>;

/** Opens a chain's registry. */
async function openRegistry({ url, deploymentFile }: Chain) {
  const deployment = parseDeployment(JSON.parse(await readFile(deploymentFile, "utf8")));
  const { AppRegistry, ResolverWithStore } = deployment.contracts;
  const transport = http(url);
  const chain = createTestClient({ chain: hardhat, mode: "hardhat", transport, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions);

  /** Sends calls of one account to a contract, for the next block. Its earlier calls must be mined. */
  async function send(account: Address, to: Address, calls: readonly Hex[]): Promise<Hex[]> {
    // Pass nonces: to find one, the chain would run the whole pending block for each transaction.
    const nonce = await chain.getTransactionCount({ address: account });
    const sent = calls.map((data, place) => {
      const call = { account, to, data, nonce: nonce + place, gas: 8_000_000n, chain: null };
      // Retry, because the chain may close an idle connection while it receives a request.
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

/** Registers the first `count` records, a hundred per block, and mines until all are final. */
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
  // Mine one by one: the hashes of blocks that `hardhat_mine` reserves together change.
  for (let block = 0; block < BLOCKS_BEHIND; block++) await chain.mine({ blocks: 1 });
  const published = Number(await client.totalSupply());
  if (published !== count) throw new Error(`${published} of ${count} records were registered.`);
  return { ...registry, records };
}

/** Calls `isTrue` every 20 ms until it returns true. @throws Error after 30 seconds */
export async function untilTrue(isTrue: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await isTrue()); ) {
    if (Date.now() > deadline) throw new Error("Timed out after 30 s.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
