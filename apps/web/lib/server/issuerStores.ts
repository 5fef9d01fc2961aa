import {
  createMemoryRevalidationStore,
  createMemoryTransactionStore,
  createPostgresRevalidationStore,
  createPostgresTransactionStore,
  type OpenRevalidationStore,
  type OpenTransactionStore,
  type RevalidationStore,
  type TransactionStore,
} from "@app-registry/sdk/issuer";
import type { Registry } from "./registry.ts";

/**
 * What the issuers of one process share without a database: Next bundles the start of the server apart from its routes,
 * so that there are two of them.
 */
type ProcessStores = {
  transactions: Map<string, TransactionStore>;
  attestations: Map<string, RevalidationStore>;
};

const name = Symbol.for("app-registry.issuerStores");
const shared = globalThis as { [name]?: ProcessStores };

/** Where an issuer keeps its open transactions and its checks: in PostgreSQL, or in this process. */
export function issuerStores({ database }: Pick<Registry, "database">): {
  openTransactions: OpenTransactionStore;
  openAttestations: OpenRevalidationStore;
} {
  if (database) {
    return {
      openTransactions: createPostgresTransactionStore(database),
      openAttestations: createPostgresRevalidationStore(database),
    };
  }
  shared[name] ??= { transactions: new Map(), attestations: new Map() };
  const { transactions, attestations } = shared[name];
  return {
    openTransactions: async (scope) => getOrCreate(transactions, scope, createMemoryTransactionStore),
    openAttestations: async (scope) => getOrCreate(attestations, scope, createMemoryRevalidationStore),
  };
}

function getOrCreate<Store>(stores: Map<string, Store>, scope: string, create: () => Store): Store {
  const store = stores.get(scope) ?? create();
  stores.set(scope, store);
  return store;
}
