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
import { privateKeyToAccount } from "viem/accounts";
import { once } from "./once.ts";
import { ApiProblem } from "./problem.ts";
import { type Registry, registry } from "./registry.ts";

/**
 * Starts the issuer of a registry.
 * @throws ApiProblem `issuer-not-configured` without a key, NotAnIssuerError for a key that may not attest, and has
 * nothing to revoke.
 */
export function startIssuer(source: Registry): Promise<Issuer> {
  const { environment, deployment, publicClient, guardedFetch, chainClient } = source;
  if (!environment.issuerPrivateKey) {
    throw new ApiProblem(503, "issuer-not-configured", "This server attests nothing", {
      detail: "Its operator has set no ISSUER_PRIVATE_KEY.",
    });
  }
  const { openTransactions, openAttestations } = issuerStores(source);
  const period = environment.issuerRevalidationPeriod;
  return createIssuer({
    account: privateKeyToAccount(environment.issuerPrivateKey),
    deployment,
    publicClient,
    guardedFetch,
    chainClient,
    allowLoopback: environment.allowLoopback,
    mode: environment.issuerMode,
    maxFeePerGas: environment.issuerMaxFeePerGas,
    spendingCap: environment.issuerSpendingCap,
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

/** The issuer of this process. A start that fails is tried again at the next call. */
export const issuer = once(async () => startIssuer(registry()));

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
function issuerStores({ database }: Pick<Registry, "database">): {
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
