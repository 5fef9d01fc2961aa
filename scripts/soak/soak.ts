import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parseDeployment } from "@app-registry/sdk";
import { resolverAbi } from "@app-registry/sdk/abi";
import { Client } from "pg";
import { createPublicClient, createWalletClient, http } from "viem";
import { hardhat } from "viem/chains";
import { Random } from "../../bench/search/data/random.ts";
import { startDidHost } from "../../packages/issuer/test/support/didHost.ts";
import { ISSUER_INDEX, localAccount } from "../stack/accounts.ts";
import { localClient } from "../stack/client.ts";
import { connectionBudget, type Fleet } from "../stack/fleet.ts";
import { readEvents } from "./chainModel.ts";
import { createDisturbances, type Planned } from "./disturbances.ts";
import type { Answer, Disturbance, Evidence } from "./evidence.ts";
import { watchMemory } from "./memory.ts";
import { runPublisher, SECOND_ISSUER_INDEX, type Shared } from "./publishers.ts";
import { runReader } from "./readers.ts";

export interface SoakParameters {
  fleet: Fleet;
  /** Decides what publishers, readers and disturbances choose. */
  seed: number;
  /** Ends the load by then at the earliest, milliseconds. */
  duration: number;
  /** What happens, one after the other; the load lasts at least until the last one is over. */
  disturbances: Iterable<Planned>;
  /** Milliseconds between the end of a disturbance and the next one. */
  calm: number;
  publishers?: number;
  readers?: number;
  onProgress?: (message: string) => void;
}

/** Milliseconds between two looks at the chain's head and at PostgreSQL's connections. */
const LOOK = 200;
/** Seconds that open attestations have to end after the load. */
const DRAIN_SECONDS = 120;

/** Runs the load and the disturbances, and returns what was seen. */
export async function runSoak(parameters: SoakParameters): Promise<Evidence> {
  const { fleet, seed, duration, calm, onProgress = () => {} } = parameters;
  const { publishers = 5, readers = 8 } = parameters;
  const { contracts } = parseDeployment(await readFile(fleet.deploymentFile, "utf8"));
  const addresses = [contracts.AppRegistry.address, contracts.ResolverWithStore.address];
  const indexes = Array.from({ length: publishers }, (_, index) => index + 1);
  const accounts = indexes.map((index) => localAccount(index).address);
  await addSecondIssuer(fleet, contracts.ResolverWithStore.address);

  const host = await startDidHost();
  const ending = new AbortController();
  const { signal } = ending;
  const shared: Shared = { fleet, host, attempts: [], services: [], names: [], accounts, signal };
  const answers: Answer[] = [];
  const startedAt = Date.now();
  const look = watchChainAndDatabase(fleet);
  const stopMemory = watchMemory(fleet);
  const load = [
    ...indexes.map((index) => runPublisher(shared, index, new Random(seed, index))),
    ...Array.from({ length: readers }, (_, index) =>
      runReader(shared, new Random(seed, 100 + index), answers),
    ),
  ];

  const { disturb, replaced } = createDisturbances(fleet, addresses, accounts);
  const disturbances: Disturbance[] = [];
  const random = new Random(seed, 200);
  for (const planned of parameters.disturbances) {
    await sleep(calm);
    const disturbance = await disturb(planned, random);
    disturbances.push(disturbance);
    const { kind, target, detail = "" } = disturbance;
    const seconds = ((disturbance.endedAt - disturbance.startedAt) / 1_000).toFixed(1);
    onProgress(`${kind}: ${target} ${detail} (${seconds} s; ${answers.length} answers)`);
  }
  await sleep(Math.max(0, startedAt + duration - Date.now()));
  ending.abort();
  await Promise.all(load);
  const issuer = await drain(fleet);
  const endedAt = Date.now();
  const events = await readEvents(fleet.rpcUrl, addresses);
  const { heads, connections } = look();
  const memory = stopMemory();
  await host.close();
  const head = heads.at(-1)?.block ?? 0;
  return {
    ...{ seed, startedAt, endedAt, heads, answers, disturbances, memory, issuer },
    chains: [
      ...replaced,
      {
        ...{ events, head, fork: head },
        replacedAt: Number.POSITIVE_INFINITY,
        until: Number.POSITIVE_INFINITY,
      },
    ],
    ...{ attempts: shared.attempts, names: shared.names },
    starts: Object.fromEntries(
      [...Object.values(fleet.parts).flat(), fleet.chain].map((part) => [part.name, part.starts()]),
    ),
    connections: { most: connections, budget: connectionBudget(fleet) },
  };
}

async function addSecondIssuer(fleet: Fleet, resolver: `0x${string}`): Promise<void> {
  const { waitForReceipt } = await localClient(fleet, localAccount(0));
  const owner = createWalletClient({
    ...{ account: localAccount(0), chain: hardhat, transport: http(fleet.rpcUrl) },
  });
  const added = localAccount(SECOND_ISSUER_INDEX).address;
  const call = { address: resolver, abi: resolverAbi, functionName: "addIssuer", args: [added] } as const;
  await waitForReceipt({ hash: await owner.writeContract(call) });
}

function watchChainAndDatabase(fleet: Fleet) {
  const heads: Evidence["heads"] = [];
  let connections = 0;
  const client = createPublicClient({ chain: hardhat, transport: http(fleet.rpcUrl), cacheTime: 0 });
  let busy = false;
  const timer = setInterval(async () => {
    if (busy) return;
    busy = true;
    // Before the question: what it answers is at least as new.
    const at = Date.now();
    const block = await client.getBlockNumber({ cacheTime: 0 }).catch(() => undefined);
    if (block !== undefined) heads.push({ at, block: Number(block) });
    const rows = await query(
      fleet,
      "select count(*)::int as count from pg_stat_activity where datname is not null",
    );
    // This one's own is not the parts'.
    connections = Math.max(connections, Number(rows[0]?.count ?? 1) - 1);
    busy = false;
  }, LOOK);
  return () => {
    clearInterval(timer);
    return { heads, connections };
  };
}

async function query(fleet: Fleet, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: fleet.database.url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } catch {
    return [];
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Waits until the issuer has nothing open, and reads its account. */
async function drain(fleet: Fleet): Promise<Evidence["issuer"]> {
  const client = createPublicClient({ chain: hardhat, transport: http(fleet.rpcUrl), cacheTime: 0 });
  const issuer = localAccount(ISSUER_INDEX).address;
  for (let second = 0; ; second++) {
    const [used, pending] = await Promise.all([
      client.getTransactionCount({ address: issuer, blockTag: "latest" }),
      client.getTransactionCount({ address: issuer, blockTag: "pending" }),
    ]);
    const [row] = await query(
      fleet,
      "select count(*)::int as count from app_registry_issuer.transactions where mined is null",
    );
    const openTransactions = Number(row?.count ?? Number.NaN);
    if ((used === pending && openTransactions === 0) || second > DRAIN_SECONDS) {
      return { issuer, usedNonces: used, pendingNonces: pending, openTransactions };
    }
    await sleep(1_000);
  }
}
