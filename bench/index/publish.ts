import { readFile } from "node:fs/promises";
import { canonicalizeValue, dataHash, didHash, parseDeployment, traitHash } from "@app-registry/sdk";
import { appRegistryAbi, resolverAbi } from "@app-registry/sdk/abi";
import {
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  publicActions,
  walletActions,
  withRetry,
} from "viem";
import { hardhat } from "viem/chains";
import { ISSUER_INDEX, localAccount } from "../../scripts/stack/accounts.ts";
import { type BenchRecord, recordAt } from "../records.ts";
import type { Chain } from "../stack.ts";

/** Account that mints and controls the records. */
const publisher = localAccount(1).address;
const issuer = localAccount(ISSUER_INDEX).address;

/** Number of records whose transactions are sent together and mined in one block. */
const RECORDS_PER_BLOCK = 100;

/** Blocks to mine after the last record. Ponder treats a block with 30 confirmations as final. */
const BLOCKS_BEHIND = 40;

/** Opens a chain, and returns a function that attests and mints records for its next two blocks. */
async function openRegistry({ url, deploymentFile }: Chain) {
  const { contracts } = parseDeployment(JSON.parse(await readFile(deploymentFile, "utf8")));
  const chain = createTestClient({
    ...{ chain: hardhat, mode: "hardhat", transport: http(url), pollingInterval: 20 },
  })
    .extend(publicActions)
    .extend(walletActions);
  const state = (data: Hex) =>
    chain.sendTransaction({ account: issuer, to: contracts.ResolverWithStore.address, data });
  const attest = (records: readonly BenchRecord[]) => {
    const of = ({ did }: BenchRecord) => ({ didHash: didHash(did), controller: publisher, expiresAt: 0n });
    const args = [records.map(of)] as const;
    return state(encodeFunctionData({ abi: resolverAbi, functionName: "attestDIDBatch", args }));
  };
  const attestContent = (records: readonly BenchRecord[]) => {
    const of = ({ did, metadata }: BenchRecord) => ({
      ...{ didHash: didHash(did), dataHash: dataHash(canonicalizeValue(metadata), 0), expiresAt: 0n },
    });
    const args = [records.map(of)] as const;
    return state(encodeFunctionData({ abi: resolverAbi, functionName: "attestDataHashBatch", args }));
  };
  const mint = async (records: readonly BenchRecord[]) => {
    // Pass nonces: to find one, the chain would run the whole pending block for each transaction.
    const nonce = await chain.getTransactionCount({ address: publisher });
    const to = contracts.AppRegistry.address;
    const sent = records.map((record, place) => {
      const call = { account: publisher, to, data: mintCall(record), nonce: nonce + place, gas: 8_000_000n };
      // Retry, because the chain may close an idle connection while it receives a request.
      return withRetry(() => chain.sendTransaction(call));
    });
    return Promise.all(sent);
  };
  return { chain, attest, mint, attestContent };
}

function mintCall({ did, interfaces, metadata }: BenchRecord): Hex {
  const json = canonicalizeValue(metadata);
  const hashes = [dataHash(json, 0), 0, "", "", 1, 0, 0, metadata.traits.map(traitHash)] as const;
  const args = [did, interfaces, `https://registry.example/1/${did}`, ...hashes, json] as const;
  return encodeFunctionData({ abi: appRegistryAbi, functionName: "mint", args });
}

/** Registers the first `count` records, a hundred per block, and mines until all are final. */
export async function publishRecords(target: Chain, count: number) {
  const registry = await openRegistry(target);
  const { chain, attest, mint, attestContent } = registry;
  await chain.setAutomine(false);
  await chain.setBlockGasLimit({ gasLimit: 2_000_000_000n });
  for (let start = 0; start < count; start += RECORDS_PER_BLOCK) {
    const length = Math.min(RECORDS_PER_BLOCK, count - start);
    const some = Array.from({ length }, (_, place) => recordAt(start + place));
    await attest(some);
    await chain.mine({ blocks: 1 });
    await mint(some);
    await chain.mine({ blocks: 1 });
    await attestContent(some);
    await chain.mine({ blocks: 1 });
  }
  // Mine one by one: the hashes of blocks that `hardhat_mine` reserves together change.
  for (let block = 0; block < BLOCKS_BEHIND; block++) await chain.mine({ blocks: 1 });
  return registry;
}
