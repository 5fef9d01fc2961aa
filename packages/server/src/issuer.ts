import {
  createIssuer,
  createMemoryRevalidationStore,
  createMemoryTransactionStore,
  createPostgresRevalidationStore,
  createPostgresTransactionStore,
  type Issuer,
  type IssuerEvent,
  type OpenRevalidationStore,
  type OpenTransactionStore,
  type RevalidationEvent,
  type RevalidationStore,
  type TransactionStore,
} from "@app-registry/issuer";
import { createTxtResolver } from "@app-registry/outbound";
import type { Connections } from "./connections.ts";
import { InvalidEnvironmentError } from "./environment.ts";

/**
 * Starts the issuer that a configuration names.
 * @throws InvalidEnvironmentError without a key, AccountError for one that can't be opened, NotAnIssuerError for
 * one that may not attest, and has nothing to revoke.
 */
export async function startIssuer(connections: Connections): Promise<Issuer> {
  const { environment, deployment, publicClient, guardedFetch, chainClient } = connections;
  if (!environment.issuerAccount) throw new InvalidEnvironmentError(["No issuer key is configured"]);
  const { openTransactions, openAttestations } = issuerStores(connections);
  const period = environment.issuerRevalidationPeriod;
  return createIssuer({
    account: await environment.issuerAccount(),
    deployment,
    publicClient,
    guardedFetch,
    chainClient,
    allowLoopback: environment.allowLoopback,
    mode: environment.issuerMode,
    maxFeePerGas: environment.issuerMaxFeePerGas,
    spendingCap: environment.issuerSpendingCap,
    clientSpendingCap: environment.issuerClientSpendingCap,
    lowBalance: environment.issuerLowBalance,
    onEvent: logEvent,
    openStore: openTransactions,
    revalidation: period === undefined ? undefined : { period, openStore: openAttestations },
    resolveTxt: environment.didWebTxt ? createTxtResolver() : undefined,
  });
}

/** One line of JSON. */
function logEvent(event: IssuerEvent | RevalidationEvent): void {
  const usual =
    event.event === "attestation renewed" ||
    (event.event === "attestation checked" && (event.outcome === "holds" || event.outcome === "lapses"));
  if (usual) console.info(JSON.stringify({ level: "info", ...event }));
  else console.warn(JSON.stringify({ level: "warn", ...event }));
}

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
function issuerStores({ database }: Pick<Connections, "database">): {
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
