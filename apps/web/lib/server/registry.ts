import { search } from "@app-registry/index/search/search";
import type { SearchPage, SearchQuery } from "@app-registry/sdk";
import { once } from "@app-registry/server/async";
import { type Connections, connect, connectDatabase } from "@app-registry/server/connections";
import { type Environment, readEnvironment } from "@app-registry/server/environment";
import { type HiddenServices, readHiddenServices } from "@app-registry/server/hiddenServices";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { type IssuerNames, readIssuerNames } from "./issuerNames.ts";
import { readIndex } from "./readIndex.ts";

/** Connections and operator settings that every route and page uses. */
export type Registry = Connections & {
  /** Store of the limits and nonces. It has its own connections, because the issuer can occupy all others. */
  limitsDatabase: Pool;
  /**
   * Searches the index. Returns `undefined` while it is being built, or its database doesn't answer.
   * @throws InvalidCursorError for a cursor of another search.
   */
  searchIndex(query: SearchQuery, signal?: AbortSignal): Promise<SearchPage | undefined>;
  /** Operator's names for issuers. */
  issuerNames: IssuerNames;
  /** Services that the operator hides. */
  hidden: HiddenServices;
  /** Served documents by versioned DID, reused while the chain is unavailable. */
  documents: LRUCache<string, CachedDocument>;
};

/** Block that a page shows. Its hash identifies the state of the chain, also after a reorganization. */
export type Block = { number: bigint; hash: string };

/** Canonical document of a version. Its hash matched the record when it was read. */
export type CachedDocument = { dataHash: string; bytes: Uint8Array<ArrayBuffer> };

/** Maximum size of all cached documents, and approximate overhead of each entry, in bytes. */
const DOCUMENTS_SIZE = 32 * 1024 * 1024;
const DOCUMENT_OVERHEAD = 500;

const LIMITS_CONNECTIONS = 4;

/**
 * Creates the connections that a configuration names. Sends no requests.
 * @throws as `connect`, and InvalidEnvironmentError if an operator file can't be used.
 */
export function createRegistry(configuration: Environment): Registry {
  const { databaseUrl } = configuration;
  const connections = connect(configuration);
  return {
    ...connections,
    searchIndex: (query, signal) =>
      readIndex(connections, (session, block) => search(session, query, block), {
        signal,
        minBlock: query.minBlock,
      }),
    // Don't wait for the disk: a crash of PostgreSQL may lose the last counts.
    limitsDatabase: connectDatabase(databaseUrl, LIMITS_CONNECTIONS, "-c synchronous_commit=off"),
    hidden: readHiddenServices(configuration.hiddenFile),
    issuerNames: readIssuerNames(configuration.issuersFile),
    documents: new LRUCache({
      maxSize: DOCUMENTS_SIZE,
      sizeCalculation: ({ bytes }) => bytes.length + DOCUMENT_OVERHEAD,
    }),
  };
}

/** Returns the registry that this process serves. */
export const registry = once(() => createRegistry(environment()));

/** Returns the configuration of this process, read once. */
export const environment = once(() => readEnvironment(process.env));
