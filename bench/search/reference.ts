import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type AppRegistryClient,
  canonicalizeValue,
  dataHash,
  searchApps,
  traitHash,
} from "@app-registry/sdk";
import type { Hex } from "viem";
import { ISSUER_INDEX, localAccount } from "../../scripts/stack/accounts.ts";
import { localClient } from "../../scripts/stack/client.ts";
import type { Service } from "../../scripts/stack/processes.ts";
import { percentile } from "../results.ts";
import { Random } from "./data/random.ts";
import { type BenchRecord, recordAt } from "./data/records.ts";
import { benchDirectory, type Chain, startChain, startIndexer, startWeb } from "./servers.ts";

/** How long one search takes in each of the ways, in milliseconds: the median of some searches. */
export interface ReferenceFigures {
  /** Records on the chain. */
  records: number;
  /** By /api/search. */
  index_ms: number;
  /** By reading every page of getAppsByStatus and asking hasAllTraits of each app, one call after the other. */
  chain_ms: number;
  /** The same with 16 calls under way. */
  chain_16_ms: number;
}

const SEARCHES = 3;

/** The account that mints the records. */
export const PUBLISHER_INDEX = 3;

/**
 * Registers `records` records on a chain of their own, and searches them by three traits: through the index, and in
 * the only way that a registry without one leaves. All ways have to find the same records.
 */
export async function measureReference(records: number): Promise<ReferenceFigures> {
  const services: Service[] = [];
  const directory = join(benchDirectory, "reference");
  await rm(directory, { recursive: true, force: true });
  try {
    const chain = await startChain();
    services.push(chain.service);
    const all = Array.from({ length: records }, (_, index) => recordAt(index));
    const client = await registerRecords(chain, all);
    const indexer = await startIndexer({ chain, database: { PGLITE_DIR: directory } });
    services.push(indexer.service);
    const web = await startWeb(chain, indexer.url);
    services.push(web.service);
    await untilFound(web.url, all);
    return { records, ...(await searchEveryWay(client, web.url, all)) };
  } finally {
    for (const service of services.reverse()) await service.stop();
  }
}

const traitsOf = ({ versions }: BenchRecord) => versions[0]?.metadata.traits ?? [];

/** Attests and mints each record, in its first version, and sets its status. */
export async function registerRecords(
  chain: Chain,
  records: readonly BenchRecord[],
): Promise<AppRegistryClient> {
  const urls = { rpcUrl: chain.url, deploymentFile: chain.deploymentFile };
  const issuer = await localClient(urls, localAccount(ISSUER_INDEX));
  const publisher = await localClient(urls, localAccount(PUBLISHER_INDEX));
  const controller = localAccount(PUBLISHER_INDEX).address;
  for (const { did, interfaces, contractId, status, versions } of records) {
    const [first] = versions;
    if (!first) continue;
    const { version, metadata } = first;
    // The chain mines each transaction as it comes, so the next one may follow at once.
    if (version.major === 1) await issuer.attestDid({ did, controller });
    const metadataJson = canonicalizeValue(metadata);
    const hashes = {
      dataHash: dataHash(metadataJson, 0),
      traitHashes: (metadata.traits ?? []).map(traitHash),
    };
    const dataUrl = `https://registry.example/${version.major}/${did}`;
    const ids = { contractId, fungibleTokenId: "" };
    await publisher.mint({
      ...{ did, version, interfaces, dataUrl, metadataJson, dataHashAlgorithm: 0 },
      ...hashes,
      ...ids,
    });
    if (status !== 0) await publisher.updateStatus({ did, major: version.major, status: status as 1 | 2 });
  }
  return publisher;
}

/** Waits until the web app finds the last of the records. */
export async function untilFound(webUrl: string, records: readonly BenchRecord[]): Promise<void> {
  const last = records.at(-1);
  while (last) {
    const { results } = await searchApps({ baseUrl: webUrl, did: last.did, status: "any" });
    if (results.some(({ status }) => status === last.status)) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function searchEveryWay(client: AppRegistryClient, webUrl: string, records: readonly BenchRecord[]) {
  const random = new Random(21);
  const active = records.filter((record) => record.status === 0 && traitsOf(record).length >= 3);
  const times = { index_ms: [] as number[], chain_ms: [] as number[], chain_16_ms: [] as number[] };
  for (let turn = 0; turn < SEARCHES; turn++) {
    const traits = traitsOf(random.pick(active)).slice(0, 3);
    const hashes = traits.map(traitHash);
    const search = () => searchApps({ baseUrl: webUrl, traits, limit: 100 });
    await search();
    const ways = {
      index_ms: async () => (await search()).results.map(({ tokenId }) => tokenId),
      chain_ms: () => searchPages(client, hashes, 1),
      chain_16_ms: () => searchPages(client, hashes, 16),
    };
    const answers = new Set<string>();
    for (const way of Object.keys(ways) as (keyof typeof ways)[]) {
      const start = performance.now();
      const found = await ways[way]();
      times[way].push(performance.now() - start);
      answers.add(found.sort().join());
    }
    if (answers.size !== 1 || answers.has("")) {
      throw new Error(`The ways found different records: ${[...answers].join(" | ")}`);
    }
  }
  const medians = Object.entries(times).map(([way, samples]) => [way, percentile(samples, 0.5)]);
  return Object.fromEntries(medians) as Omit<ReferenceFigures, "records">;
}

/** Reads every page of the Active records and asks each record, `atOnce` of them together. */
async function searchPages(
  client: AppRegistryClient,
  traitHashes: readonly Hex[],
  atOnce: number,
): Promise<string[]> {
  const found: string[] = [];
  for await (const { items } of client.listByStatus({ status: 0, limit: 100 }).pages()) {
    for (let first = 0; first < items.length; first += atOnce) {
      const asked = items.slice(first, first + atOnce);
      const answers = await Promise.all(
        asked.map(({ did, versionMajor }) => client.hasAllTraits({ did, major: versionMajor, traitHashes })),
      );
      found.push(...asked.filter((_, at) => answers[at]).map(({ tokenId }) => String(tokenId)));
    }
  }
  return found;
}
