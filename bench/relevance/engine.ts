import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { didHash, type Metadata, traitHash } from "@app-registry/sdk";
import startServers from "../../packages/sdk/test/support/servers.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

/** A service as a corpus lists it. */
export interface CorpusDocument {
  did: string;
  interfaces: number;
  metadata: Metadata;
}

const indexerFile = (path: string) => pathToFileURL(join(rootDirectory, "apps/indexer", path)).href;

/** What of the indexer's modules is used; they are loaded at run time, because Ponder's virtual modules are replaced. */
interface IndexerModules {
  database: {
    appRow: (tokenId: bigint, row: object) => object;
    documentRow: (tokenId: bigint, record: object, bytes: Uint8Array) => object;
    fill: (rows: readonly object[]) => Promise<void>;
    analyze: () => Promise<void>;
  };
  searchPage: (query: object, block: number) => Promise<string>;
}

async function loadIndexer(): Promise<IndexerModules> {
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
  const database = await import(indexerFile("test/harness/database.ts"));
  const { search } = await import(indexerFile("src/api/search/search.ts"));
  return { database, searchPage: search };
}

/**
 * The indexer's search over a corpus, in a PostgreSQL with the tables and indexes of `ponder.schema.ts`. Each
 * document is a record with a controller of its own and its JSON on the chain.
 *
 * @returns The DIDs that a search finds first, best first.
 */
export async function startEngine(
  documents: readonly CorpusDocument[],
): Promise<(q: string) => Promise<string[]>> {
  const { database, searchPage } = await loadIndexer();
  await database.fill(
    documents.map(({ did, interfaces, metadata }, index) => {
      const traits = Array.isArray(metadata.traits) ? metadata.traits : [];
      const account = `0x${(index + 1).toString(16).padStart(40, "0")}`;
      const record = {
        ...{ did, didHash: didHash(did), interfaces, owner: account, minter: account },
        traitHashes: traits.map((trait) => traitHash(String(trait))),
      };
      return database.documentRow(BigInt(index + 1), record, Buffer.from(JSON.stringify(metadata)));
    }),
  );
  await database.analyze();
  const { parseSearchQuery } = await import("@app-registry/sdk");
  return async (q) => {
    const { results } = JSON.parse(await searchPage(parseSearchQuery({ q, limit: 10 }), 1)) as {
      results: { did: string }[];
    };
    return results.map(({ did }) => did);
  };
}
