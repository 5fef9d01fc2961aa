import { setTimeout as sleep } from "node:timers/promises";
import { type Issuer, NotAnIssuerError } from "@app-registry/issuer";
import { AppRegistryError, type IssuerState } from "@app-registry/sdk";
import { type Address, isAddress, isAddressEqual, zeroAddress } from "viem";
import { z } from "zod";
import type { Connections } from "./connections.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import { fetchFromIndexer, parseAnswer } from "./fetchFromIndexer.ts";
import { getHealthStatus, type Health, type HealthProblem } from "./health.ts";
import { TtlCache } from "./TtlCache.ts";

/** Milliseconds that askers share an answer. They are not counted: a probe that is refused would end a server in good health. */
const HEALTH_AGE = 1_000;

/** Health as it is now, asked for at most once a second. */
export function watchHealth(connections: Connections, issuer: () => Promise<Issuer>): () => Promise<Health> {
  const answers = new TtlCache<Health>(1);
  return () =>
    answers.get(
      "",
      () => HEALTH_AGE,
      () => checkHealth(connections, issuer),
    );
}

/** Milliseconds for all that is asked: who asks for health wants to know soon. */
const TIMEOUT = 4_000;

/** Milliseconds of these for the first answers; the rest is for what is asked with them. */
const FIRST_TIMEOUT = 3_000;

/** Milliseconds for the issuer's key, which was opened at the start already. */
const KEY_TIMEOUT = 500;

/**
 * Asks the chain, the database, the index and the issuer how they are, all within four seconds. What does not answer in
 * time counts as away.
 */
export async function checkHealth(connections: Connections, issuer: () => Promise<Issuer>): Promise<Health> {
  const { environment, deployment, probeDatabase } = connections;
  const { issuerAccount, issuerMode } = environment;
  const deadline = createDeadline(TIMEOUT);
  const first = createDeadline(FIRST_TIMEOUT);
  // A key in a KMS that does not answer leaves open whose it is.
  const opened = issuerAccount && (await createDeadline(KEY_TIMEOUT)(issuerAccount()).catch(() => undefined));
  const account = opened?.address;
  const [chain, database, index] = await Promise.all([
    readChain(connections, account, first),
    probeDatabase
      ? first(probeDatabase()).then(
          () => true,
          () => false,
        )
      : null,
    readIndex(environment.indexerUrls),
  ]);
  const state = account && chain.issuer;
  const works = state?.status === "active" || state?.status === "retired";
  // What the issuer keeps in a database that hangs would hang too.
  const canAnswer = works && database !== false;
  const [ofIndex, ofIssuer] = await Promise.all([
    evaluateIndex(connections, { chain, index, deadline }),
    readIssuer(connections, canAnswer ? issuer : undefined, deadline),
  ]);
  const problems: HealthProblem[] = [
    ...chain.problems,
    ...(database === false ? [databaseUnavailable] : []),
    ...(state && state.status !== "active" ? [createNotAuthorizedProblem(state, deployment)] : []),
    ...ofIndex.problems,
    ...(issuerAccount && !opened ? [issuerKeyUnavailable] : []),
    ...ofIssuer.problems,
  ];
  return {
    status: getHealthStatus(problems),
    problems,
    chain: { reachable: chain.reachable, block: chain.block, chainId: deployment.chainId },
    database: { configured: probeDatabase !== undefined, reachable: database },
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

/** A retired issuer still does a part of its work, and a balancer that took the server away would end that. */
const createNotAuthorizedProblem = (
  state: IssuerState,
  { contracts }: Connections["deployment"],
): HealthProblem => ({
  code: state.status === "retired" ? "issuer-retired" : "issuer-not-authorised",
  message: new NotAnIssuerError(state, contracts.ResolverWithStore.address).shortMessage,
});

/** Whether it has any JSON does not matter: the contract that keeps it has to answer. */
const PROBE_DID = "did:web:health.invalid";

type Chain = {
  reachable: boolean;
  block: number | null;
  /** What the resolver says of the issuer's account; undefined when it can't be asked. */
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
    // It is away, like one that answers some questions only.
  }
  const message = "The chain's RPC endpoint is not responding.";
  return {
    ...{ reachable: false, block: null, issuer: undefined },
    problems: [{ code: "chain-unavailable", message }],
  };
}

const blockSchema = z.object({ number: z.int(), hash: z.string() });

/** What an index says that is built: its last block, the one of the deployment, and the registry's address. */
const stateSchema = z
  .object({
    block: z.int(),
    hash: z.string().nullable(),
    deployment: blockSchema.nullable(),
    registry: z.custom<Address>((value) => isAddress(String(value))),
  })
  .transform(({ block: number, hash, ...others }) => ({ last: { number, hash }, ...others }));

const notReadySchema = z.object({ code: z.literal("not-ready"), block: z.int() });

type Index = {
  state: { reachable: boolean; block: number | null; building: boolean };
  /** Undefined unless it is built. */
  blocks: z.output<typeof stateSchema> | undefined;
};

async function readIndex(indexerUrls: readonly string[], timeout = FIRST_TIMEOUT): Promise<Index> {
  const answer = await fetchFromIndexer(indexerUrls, "/state", { timeout });
  const body = answer && parse(answer);
  const { data: blocks } = stateSchema.safeParse(answer?.status === 200 ? body : undefined);
  const { data: notReady } = notReadySchema.safeParse(answer?.status === 503 ? body : undefined);
  const block = blocks?.last.number ?? notReady?.block ?? null;
  return { state: { reachable: block !== null, block, building: notReady !== undefined }, blocks };
}

function parse(answer: Parameters<typeof parseAnswer>[0]): unknown {
  try {
    return parseAnswer(answer);
  } catch {
    return undefined;
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
  if (index.blocks && !isAddressEqual(index.blocks.registry, address)) {
    const message = `The index follows registry ${index.blocks.registry}, but the deployment uses ${address}.`;
    return only("index-of-another-deployment", message);
  }
  // An RPC that is away, or of another chain, says nothing of the index.
  if (ahead === null || chain.problems.length > 0) return { lag, problems: [] };
  const differing = await findDifferingBlock(connections, { chain, index, deadline });
  if (differing !== undefined) {
    const message = `The index and the RPC follow different chains: their blocks ${differing} have different hashes.`;
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

/** Milliseconds in which an index notices that the chain's last blocks were replaced. */
const REORG_DELAY_MS = 1_500;

/**
 * The number of a block that index and RPC know by different hashes. Where that is the index's last one, both are asked
 * again a moment later: it may just have been replaced.
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
    const { blocks } = await readIndex(connections.environment.indexerUrls, REORG_DELAY_MS);
    return blocks && (await hasDifferentHash(connections, blocks.last, deadline))
      ? blocks.last.number
      : undefined;
  };
  return deadline(lookAgain()).catch(() => last.number);
}

/** An RPC that does not answer or does not have the block, and an index that catches up, say nothing. */
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

/** What an issuer has to spend and to check; `issuer` is undefined while it can't know. */
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
