import { registerHooks } from "node:module";
import { didHash, type Metadata, parseSearchQuery, traitHash } from "@app-registry/sdk";
import startServers from "@app-registry/test-kit/servers";

/** Service in a corpus. */
export interface CorpusDocument {
  did: string;
  interfaces: number;
  metadata: Metadata;
}

const indexerFile = (path: string) => new URL(`../../apps/indexer/${path}`, import.meta.url).href;

/** Loads the indexer's modules at run time, after replacing Ponder's virtual modules. */
async function loadIndexer() {
  const modules: Record<string, string> = {
    "ponder:schema": indexerFile("ponder.schema.ts"),
    "ponder:api": indexerFile("test/harness/database.ts"),
  };
  registerHooks({
    resolve(specifier, context, next) {
      const url = modules[specifier];
      return url ? { url, shortCircuit: true } : next(specifier, context);
    },
  });
  process.env.OFFCHAIN_DOCUMENTS ??= "off";
  await startServers();
  const { documentRow, fill, analyze } = await import(indexerFile("test/harness/database.ts"));
  const { search } = await import(indexerFile("src/api/search/search.ts"));
  return { documentRow, fill, analyze, search };
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
  const { documentRow, fill, analyze, search } = await loadIndexer();
  const rows = documents.map(({ did, interfaces, metadata }, index) => {
    const traitHashes = (metadata.traits ?? []).map((trait) => traitHash(String(trait)));
    const account = `0x${(index + 1).toString(16).padStart(40, "0")}`;
    const record = { did, didHash: didHash(did), interfaces, owner: account, minter: account, traitHashes };
    return documentRow(BigInt(index + 1), record, Buffer.from(JSON.stringify(metadata)));
  });
  await fill(rows);
  await analyze();
  return async (q) => {
    const page = JSON.parse(await search(parseSearchQuery({ q, limit: 10 }), 1));
    return page.results.map(({ did }: CorpusDocument) => did);
  };
}
