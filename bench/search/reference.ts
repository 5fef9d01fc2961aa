import { type AppRegistryClient, searchApps, traitHash } from "@app-registry/sdk";
import type { Hex } from "viem";
import { publishRecords } from "../publish.ts";
import { percentile } from "../results.ts";
import { newDirectory, startChain, startIndexer, startWeb } from "../stack.ts";

/** Median duration of a search by method, in milliseconds. */
export interface ReferenceFigures {
  /** Number of records on the chain. */
  records: number;
  /** Search by /api/search. */
  index_ms: number;
  /** Search by reading every page of getAppsByStatus and calling hasAllTraits for each app, one call at a time. */
  chain_ms: number;
  /** Same search with 16 simultaneous calls. */
  chain_16_ms: number;
}

const SEARCHES = 3;

/**
 * Registers `count` records on a new chain and searches them by three traits, through the index and by chain reads, the
 * only method without an index. All methods must find the same records.
 */
export async function measureReference(count: number): Promise<ReferenceFigures> {
  const chain = await startChain();
  const { records, client } = await publishRecords(chain, count);
  const indexer = await startIndexer(chain, { PGLITE_DIR: await newDirectory() });
  const { url: baseUrl } = await startWeb(chain, indexer.url);
  const times = { index_ms: [] as number[], chain_ms: [] as number[], chain_16_ms: [] as number[] };
  const searched = records.filter(({ metadata }) => metadata.traits.length >= 3).slice(-SEARCHES);
  for (const { metadata } of searched) {
    const traits = metadata.traits.slice(0, 3);
    const hashes = traits.map(traitHash);
    const search = () => searchApps({ baseUrl, traits, limit: 100 });
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
      throw new Error(`The methods found different records: ${[...answers].join(" | ")}`);
    }
  }
  const medians = Object.entries(times).map(([way, samples]) => [way, percentile(samples, 0.5)]);
  return { records: count, ...(Object.fromEntries(medians) as Omit<ReferenceFigures, "records">) };
}

/** Reads every page of the Active records and checks each record's traits, with `atOnce` simultaneous calls. */
async function searchPages(client: AppRegistryClient, traitHashes: readonly Hex[], atOnce: number) {
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
