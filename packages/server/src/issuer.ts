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
 * Starts the issuer of a configuration.
 * @throws {InvalidEnvironmentError} without a key.
 * @throws {AccountError} if the key can't be opened.
 * @throws {NotAnIssuerError} if the account may not attest, unless it is retired and revalidates.
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

/** Logs an event as one line of JSON. */
function logEvent(event: IssuerEvent | RevalidationEvent): void {
  const usual =
    event.event === "attestation renewed" ||
    (event.event === "attestation checked" && (event.outcome === "holds" || event.outcome === "lapses"));
  if (usual) console.info(JSON.stringify({ level: "info", ...event }));
  else console.warn(JSON.stringify({ level: "warn", ...event }));
}

/**
 * Stores that the issuers of one process share without a database. There are two issuers, because Next.js bundles the
 * startup separately from the routes.
 */
type ProcessStores = {
  transactions: Map<string, TransactionStore>;
  attestations: Map<string, RevalidationStore>;
};

const name = Symbol.for("app-registry.issuerStores");
const shared = globalThis as { [name]?: ProcessStores };

/** Returns the stores of an issuer's open transactions and checks, in PostgreSQL or in memory. */
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
