import { didHash, type Metadata, parseSearchQuery, traitHash } from "@app-registry/sdk";
import startServers from "@app-registry/test-kit/servers";

/** Service in a corpus. */
export interface CorpusDocument {
  did: string;
  interfaces: number;
  metadata: Metadata;
}

const indexerFile = (path: string) => new URL(`../../apps/indexer/${path}`, import.meta.url).href;

/** Loads the modules at run time, because the database is created when they load. */
async function loadIndexer() {
  await startServers();
  const { documentRow, fill, analyze, session } = await import(indexerFile("test/harness/database.ts"));
  const { search } = await import("../../packages/index/src/search/search.ts");
  return { documentRow, fill, analyze, search, session };
}

/**
 * Starts the indexer's search over a corpus, in a PostgreSQL with the tables and indexes of `ponder.schema.ts`. Each
 * document is a record with its own controller and its JSON on the chain.
 *
 * @returns A search that returns the first DIDs, best first.
 */
export async function startEngine(
  documents: readonly CorpusDocument[],
): Promise<(q: string) => Promise<string[]>> {
  const { documentRow, fill, analyze, search, session } = await loadIndexer();
  const rows = documents.map(({ did, interfaces, metadata }, index) => {
    const traitHashes = (metadata.traits ?? []).map((trait) => traitHash(String(trait)));
    const account = `0x${(index + 1).toString(16).padStart(40, "0")}`;
    const record = { did, didHash: didHash(did), interfaces, owner: account, minter: account, traitHashes };
    return documentRow(BigInt(index + 1), record, Buffer.from(JSON.stringify(metadata)));
  });
  await fill(rows);
  await analyze();
  return async (q) => {
    const page = await search(session, parseSearchQuery({ q, limit: 10 }), 1);
    return page.results.map(({ did }) => did);
  };
}
