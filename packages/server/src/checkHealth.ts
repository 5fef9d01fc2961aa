import { setTimeout as sleep } from "node:timers/promises";
import { deploymentBlock } from "@app-registry/index/tables";
import { type Issuer, NotAnIssuerError } from "@app-registry/issuer";
import { AppRegistryError, type IssuerState } from "@app-registry/sdk";
import { LRUCache } from "lru-cache";
import { type Address, type Hex, isAddressEqual, zeroAddress } from "viem";
import { createDeadline, type Deadline } from "./async.ts";
import type { Connections } from "./connections.ts";
import { getHealthStatus, type Health, type HealthProblem } from "./health.ts";

/**
 * Lifetime of a cached health result, in milliseconds. Used instead of a rate limit, because a rejected probe would end
 * a healthy server.
 */
const HEALTH_AGE = 1_000;

/** Returns a function that checks the health at most once a second. */
export function watchHealth(connections: Connections, issuer: () => Promise<Issuer>): () => Promise<Health> {
  const fetchMethod = () => checkHealth(connections, issuer);
  const cache = new LRUCache<"health", Health>({ max: 1, ttl: HEALTH_AGE, fetchMethod });
  return () => cache.forceFetch("health");
}

/** Time limit for the whole check, in milliseconds. */
const TIMEOUT = 4_000;

/** Time limit for the first requests, in milliseconds. Later requests depend on their results. */
const FIRST_TIMEOUT = 3_000;

/** Time limit for the issuer's key, in milliseconds. It was already opened at startup. */
const KEY_TIMEOUT = 500;

/**
 * Checks the chain, the database, the index and the issuer within four seconds. A part that does not respond in time
 * counts as unavailable.
 */
export async function checkHealth(connections: Connections, issuer: () => Promise<Issuer>): Promise<Health> {
  const { environment, deployment, probeDatabase } = connections;
  const { issuerAccount, issuerMode } = environment;
  const deadline = createDeadline(TIMEOUT);
  const first = createDeadline(FIRST_TIMEOUT);
  // Continue without the account if the KMS with its key does not respond.
  const opened = issuerAccount && (await createDeadline(KEY_TIMEOUT)(issuerAccount()).catch(() => undefined));
  const account = opened?.address;
  const [chain, database, index] = await Promise.all([
    readChain(connections, account, first),
    first(probeDatabase()).then(
      () => true,
      () => false,
    ),
    readIndex(connections),
  ]);
  const state = account && chain.issuer;
  const works = state?.status === "active" || state?.status === "retired";
  // Skip the issuer if the database is unavailable: its stores would hang as well.
  const canAnswer = works && database;
  const [ofIndex, ofIssuer] = await Promise.all([
    evaluateIndex(connections, { chain, index, deadline }),
    readIssuer(connections, canAnswer ? issuer : undefined, deadline),
  ]);
  const problems: HealthProblem[] = [
    ...chain.problems,
    ...(database ? [] : [databaseUnavailable]),
    ...(state && state.status !== "active" ? [createNotAuthorizedProblem(state, deployment)] : []),
    ...ofIndex.problems,
    ...(issuerAccount && !opened ? [issuerKeyUnavailable] : []),
    ...ofIssuer.problems,
  ];
  return {
    status: getHealthStatus(problems),
    problems,
    chain: { reachable: chain.reachable, block: chain.block, chainId: deployment.chainId },
    database: { reachable: database },
    indexer: { ...index.state, lag: ofIndex.lag },
    issuer: {
      configured: issuerAccount !== undefined,
      authorised: state ? state.status === "active" : null,
      mode: issuerAccount ? issuerMode : null,
      funds: ofIssuer.funds,
      revalidation: ofIssuer.revalidation,
    },
  };
}

const databaseUnavailable: HealthProblem = {
  code: "database-unavailable",
  message: "The database is unreachable or read-only.",
};

const issuerKeyUnavailable: HealthProblem = {
  code: "issuer-unavailable",
  message: "The issuer's key couldn't be loaded.",
};

/**
 * Creates the problem of an issuer that is not active. A retired one still revokes, so its server must stay in service.
 */
const createNotAuthorizedProblem = (
  state: IssuerState,
  { contracts }: Connections["deployment"],
): HealthProblem => ({
  code: state.status === "retired" ? "issuer-retired" : "issuer-not-authorised",
  message: new NotAnIssuerError(state, contracts.ResolverWithStore.address).shortMessage,
});

/** DID for reading the metadata contract. The result is irrelevant, because the check only needs a response. */
const PROBE_DID = "did:web:health.invalid";

type Chain = {
  reachable: boolean;
  block: number | null;
  /** State of the issuer's account in the resolver, or `undefined` if it can't be read. */
  issuer: IssuerState | undefined;
  problems: HealthProblem[];
};

async function readChain(
  { publicClient, client, deployment }: Connections,
  account: Address | undefined,
  deadline: Deadline,
): Promise<Chain> {
  const asked = Promise.all([
    client.getIssuer(account ?? zeroAddress),
    client.totalSupply(),
    client.getMetadata(PROBE_DID),
  ]).then(
    ([found]) => ({ found, missing: false }),
    (error: unknown) => ({
      found: undefined,
      missing: error instanceof AppRegistryError && !error.retryable,
    }),
  );
  try {
    const [chainId, block, { found, missing }] = await deadline(
      Promise.all([publicClient.getChainId(), publicClient.getBlockNumber({ cacheTime: 0 }), asked]),
    );
    const chain = { reachable: true, block: Number(block), issuer: found };
    if (chainId !== deployment.chainId) {
      const message = `The RPC serves chain ${chainId}; the deployment is on chain ${deployment.chainId}.`;
      return { ...chain, issuer: undefined, problems: [{ code: "chain-mismatch", message }] };
    }
    if (missing) {
      const message = "A contract of the deployment doesn't exist on the RPC endpoint's chain.";
      return { ...chain, problems: [{ code: "contracts-missing", message }] };
    }
    if (found) return { ...chain, problems: [] };
  } catch {
    // Treat an RPC that fails as unavailable, as one that serves only some requests.
  }
  const message = "The chain's RPC endpoint is not responding.";
  return {
    ...{ reachable: false, block: null, issuer: undefined },
    problems: [{ code: "chain-unavailable", message }],
  };
}

type IndexBlocks = {
  /** Last block of the index. Its hash is null while a restarted indexer catches up. */
  last: { number: number; hash: Hex | null };
  deployment: { number: number; hash: Hex; registry: Address } | undefined;
};

type Index = {
  state: { reachable: boolean; block: number | null; building: boolean };
  /** Blocks of the index, or `undefined` if it is not complete. */
  blocks: IndexBlocks | undefined;
};

async function readIndex(
  { index }: Pick<Connections, "index">,
  signal = AbortSignal.timeout(FIRST_TIMEOUT),
): Promise<Index> {
  try {
    return await index.read(async ({ db }, state): Promise<Index> => {
      const found = { reachable: true, block: state.block ?? null, building: !state.isReady };
      if (!state.isReady) return { state: found, blocks: undefined };
      const { number, hash, registry } = deploymentBlock;
      const [deployment] = await db.select({ number, hash, registry }).from(deploymentBlock);
      return { state: found, blocks: { last: { number: state.block, hash: state.hash }, deployment } };
    }, signal);
  } catch {
    return { state: { reachable: false, block: null, building: false }, blocks: undefined };
  }
}

async function evaluateIndex(
  connections: Connections,
  { chain, index, deadline }: { chain: Chain; index: Index; deadline: Deadline },
): Promise<{ lag: number | null; problems: HealthProblem[] }> {
  const { reachable, building, block } = index.state;
  const { indexLagLimit: limit } = connections.environment;
  const ahead = chain.block === null || block === null ? null : block - chain.block;
  const lag = ahead === null ? null : Math.max(0, -ahead);
  const only = (code: HealthProblem["code"], message: string) => ({ lag, problems: [{ code, message }] });
  if (!reachable)
    return only("index-unavailable", "The search index is unavailable. Searches read the chain instead.");
  if (building) {
    return only(
      "index-building",
      "The search index is being built. Searches read the chain until it's ready.",
    );
  }
  const { address } = connections.deployment.contracts.AppRegistry;
  const followed = index.blocks?.deployment?.registry;
  if (followed && !isAddressEqual(followed, address)) {
    const message = `The index follows registry ${followed}, but the deployment uses ${address}.`;
    return only("index-of-another-deployment", message);
  }
  // Don't compare the index with an RPC that is unavailable or on another chain.
  if (ahead === null || chain.problems.length > 0) return { lag, problems: [] };
  const differing = await findDifferingBlock(connections, { chain, index, deadline });
  if (differing !== undefined) {
    const message = `The index and the RPC endpoint follow different chains: block ${differing} has a different hash in each.`;
    return only("index-of-another-chain", message);
  }
  if (-ahead > limit) {
    return only("index-behind", `The index is ${-ahead} blocks behind the chain; the limit is ${limit}.`);
  }
  if (ahead > limit) {
    return only("index-ahead", `The RPC is ${ahead} blocks behind the index; the limit is ${limit}.`);
  }
  return { lag, problems: [] };
}

/** Time in which an index detects a reorganization, in milliseconds. */
const REORG_DELAY_MS = 1_500;

/**
 * Returns the number of a block whose hash differs between the index and the RPC. Checks the index's last block twice,
 * because a reorganization may just have replaced it.
 */
async function findDifferingBlock(
  connections: Connections,
  { chain, index, deadline }: { chain: Chain; index: Index; deadline: Deadline },
): Promise<number | undefined> {
  if (!index.blocks || chain.block === null) return undefined;
  const { last, deployment } = index.blocks;
  if (deployment && (await hasDifferentHash(connections, deployment, deadline))) return deployment.number;
  if (last.number > chain.block || !(await hasDifferentHash(connections, last, deadline))) return undefined;
  const lookAgain = async () => {
    await sleep(REORG_DELAY_MS);
    const { blocks } = await readIndex(connections, AbortSignal.timeout(REORG_DELAY_MS));
    return blocks && (await hasDifferentHash(connections, blocks.last, deadline))
      ? blocks.last.number
      : undefined;
  };
  return deadline(lookAgain()).catch(() => last.number);
}

/** Returns true if the RPC has another hash for a block. Returns false if the RPC or the index doesn't have a hash. */
async function hasDifferentHash(
  { publicClient }: Connections,
  { number, hash }: { number: number; hash: string | null },
  deadline: Deadline,
): Promise<boolean> {
  if (hash === null) return false;
  return deadline(publicClient.getBlock({ blockNumber: BigInt(number) })).then(
    (block) => block.hash !== hash,
    () => false,
  );
}

type IssuerReport = Pick<Health["issuer"], "funds" | "revalidation"> & { problems: HealthProblem[] };

/** Reads the funds and the revalidation of an issuer. `issuer` is `undefined` if they can't be read. */
async function readIssuer(
  { environment }: Connections,
  issuer: (() => Promise<Issuer>) | undefined,
  deadline: Deadline,
): Promise<IssuerReport> {
  const { issuerMode, issuerRevalidationPeriod, issuerSpendingCap } = environment;
  if (!issuer) return { funds: null, revalidation: null, problems: [] };
  const ask = <T>(isAsked: boolean, read: (current: Issuer) => Promise<T>) =>
    isAsked ? deadline(issuer().then(read)).catch(() => undefined) : null;
  const [funds, revalidation] = await Promise.all([
    ask(issuerMode === "send", (current) => readFunds(current, issuerSpendingCap)),
    ask(
      issuerRevalidationPeriod !== undefined,
      async ({ revalidation: own }) => (await own?.count()) ?? null,
    ),
  ]);
  const problems: HealthProblem[] = [];
  if (funds === undefined || revalidation === undefined) {
    problems.push({ code: "issuer-unavailable", message: "The issuer's status is unavailable." });
  }
  if (funds?.empty) {
    const message = `Issuer ${funds.address} can't pay for any attestation.`;
    problems.push({ code: "issuer-out-of-funds", message });
  } else if (funds?.low) {
    const message = `Low balance: issuer ${funds.address} can pay for only ${funds.attestationsLeft} more attestations.`;
    problems.push({ code: "issuer-funds-low", message });
  }
  if (revalidation && revalidation.overdue > 0) {
    const message = `${revalidation.overdue} attestations are overdue for re-checking by more than a day.`;
    problems.push({ code: "revalidation-behind", message });
  }
  return { funds: funds ?? null, revalidation: revalidation ?? null, problems };
}

async function readFunds(issuer: Issuer, spendingCap: bigint): Promise<Health["issuer"]["funds"]> {
  const funds = await issuer.readFunds();
  if (!funds) return null;
  const { balance, available: _, spent, ...others } = funds;
  return {
    ...{ ...others, address: issuer.address, balance: String(balance) },
    ...{ spent: String(spent), spendingCap: String(spendingCap) },
  };
}
