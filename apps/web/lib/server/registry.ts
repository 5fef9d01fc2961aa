import { type Connections, connect } from "@app-registry/server/connections";
import { connectDatabase } from "@app-registry/server/database";
import type { Environment } from "@app-registry/server/environment";
import { type HiddenServices, readHiddenServices } from "@app-registry/server/hiddenServices";
import { once } from "@app-registry/server/once";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { environment } from "./environment.ts";
import { type IssuerNames, readIssuerNames } from "./operator/issuerNames.ts";

/** What every route and page reads the registry with. */
export type Registry = Connections & {
  /** The store of the limits and nonces. It has its own connections, because the issuer can hold all of the others. */
  limitsDatabase: Pool | undefined;
  /** What the operator calls the issuers. */
  issuerNames: IssuerNames;
  /** What the operator shows in no list. */
  hidden: HiddenServices;
  /** Documents that were served, by versioned DID, for while the chain does not answer. */
  documents: LRUCache<string, CachedDocument>;
};

/** The canonical document of a version, which hashed to its record when it was read. */
export type CachedDocument = { dataHash: string; bytes: Uint8Array<ArrayBuffer> };

/** Bytes of all kept documents together, and of an entry besides its document, about. */
const DOCUMENTS_SIZE = 32 * 1024 * 1024;
const DOCUMENT_OVERHEAD = 500;

const LIMITS_CONNECTIONS = 4;

/**
 * Connects to what a configuration names. Nothing is asked yet.
 * @throws as `connect`, and InvalidEnvironmentError when a file of the operator can't be used.
 */
export function createRegistry(configuration: Environment): Registry {
  const { databaseUrl } = configuration;
  return {
    ...connect(configuration),
    limitsDatabase: databaseUrl === undefined ? undefined : connectDatabase(databaseUrl, LIMITS_CONNECTIONS),
    hidden: readHiddenServices(configuration.hiddenFile),
    issuerNames: readIssuerNames(configuration.issuersFile),
    documents: new LRUCache({
      maxSize: DOCUMENTS_SIZE,
      sizeCalculation: ({ bytes }) => bytes.length + DOCUMENT_OVERHEAD,
    }),
  };
}

/** The registry that this process serves. */
export const registry = once(() => createRegistry(environment()));
