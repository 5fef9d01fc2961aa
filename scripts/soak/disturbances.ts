import { setTimeout as sleep } from "node:timers/promises";
import { type Address, createPublicClient, createTestClient, type Hex, http } from "viem";
import { hardhat } from "viem/chains";
import type { Random } from "../../bench/search/data/random.ts";
import type { Fleet } from "../stack/fleet.ts";
import { readEvents } from "./chainModel.ts";
import type { ChainEvent, ChainVersion, Disturbance } from "./evidence.ts";

/** A disturbance to come. */
export type Planned = Pick<Disturbance, "kind"> & { target: number };

/** One of each kind, in an order that the seed decides, again and again for some milliseconds. */
export function* planDisturbances(random: Random, duration: number): Generator<Planned> {
  const end = Date.now() + duration;
  const kinds: Planned["kind"][] = ["chain", "database", "writer", "reader", "worker", "web", "reorg"];
  for (let round = 0; ; round++) {
    // PostgreSQL ends in order and as in a crash by turns; of several processes, each has its turn.
    for (const kind of random.shuffled(kinds)) {
      if (Date.now() >= end) return;
      yield { kind, target: round };
    }
  }
}

/** The last of several processes of a kind is left alone, so that its memory can be watched. */
const chosen = <T>(all: readonly T[], turn: number): T => all[turn % Math.max(1, all.length - 1)] as T;

/** What disturbs the stack, and keeps each chain that a reorganisation replaced. */
export function createDisturbances(
  fleet: Fleet,
  addresses: readonly Address[],
  publishers: readonly Address[],
) {
  const replaced: ChainVersion[] = [];
  /** Anvil has no states of the blocks before its restart, so it can't go back to them. */
  let restartedAt = 0;

  async function disturb({ kind, target }: Planned, random: Random): Promise<Disturbance> {
    const startedAt = Date.now();
    const done = async (name: string, detail?: string): Promise<Disturbance> => {
      await untilHealthy(fleet);
      return { kind, target: name, ...(detail && { detail }), startedAt, endedAt: Date.now() };
    };
    if (kind === "chain") {
      await restartChain(fleet, addresses);
      restartedAt = await headOf(fleet);
      return done("chain", "ended in order, started again on its state");
    }
    if (kind === "database") {
      const mode = target % 2 === 0 ? "immediate" : "fast";
      await fleet.database.restart(mode);
      return done("database", mode);
    }
    if (kind === "reorg") {
      const depth = random.pick(DEPTHS);
      while ((await headOf(fleet)) < restartedAt + depth + 1) await sleep(200);
      const { version, detail } = await reorganise(fleet, addresses, random.pick(publishers), depth);
      replaced.push(version);
      return done("chain", detail);
    }
    const part = chosen(fleet.parts[kind], target);
    await part.kill();
    return done(part.name, "SIGKILL");
  }

  return { disturb, replaced };
}

/** Waits until every process answers by itself, and the index has followed the chain. */
async function untilHealthy(fleet: Fleet): Promise<void> {
  for (const { url } of fleet.parts.web) {
    for (;;) {
      const health = await fetch(`${url}/api/health`).then(
        (response) => response.json(),
        () => undefined,
      );
      if ((health as { status?: string } | undefined)?.status === "ok") break;
      await sleep(200);
    }
  }
}

/**
 * Restarts the chain between two blocks.
 * @throws When it came back with other events, which would be the test's own fault.
 */
async function restartChain(fleet: Fleet, addresses: readonly Address[]): Promise<void> {
  const test = createTestClient({ chain: hardhat, mode: "anvil", transport: http(fleet.rpcUrl) });
  await test.setIntervalMining({ interval: 0 });
  const text = async () =>
    JSON.stringify(await readEvents(fleet.rpcUrl, addresses), (_, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
  const before = await text();
  await fleet.restartChain();
  // What was mined since stands behind.
  if (!(await text()).startsWith(before.slice(0, -1))) throw new Error("Anvil came back with another chain");
}

const headOf = async ({ rpcUrl }: Fleet) =>
  Number(await createPublicClient({ transport: http(rpcUrl) }).getBlockNumber({ cacheTime: 0 }));

/** Blocks that a reorganisation replaces: Ponder follows 30, and takes what is below for final. */
const DEPTHS = [2, 5, 12, 25] as const;

/**
 * Replaces the last blocks by as many others. As a node does, the chain keeps the transactions of the old blocks: they
 * are mined again in their order, in other blocks. Those of one publisher are lost for good.
 */
async function reorganise(
  fleet: Fleet,
  addresses: readonly Address[],
  publisher: Address,
  depth: number,
): Promise<{ version: ChainVersion; detail: string }> {
  const transport = http(fleet.rpcUrl);
  const client = createPublicClient({ chain: hardhat, transport, cacheTime: 0 });
  const test = createTestClient({ chain: hardhat, mode: "anvil", transport });
  const ask = (method: string, params: unknown[]) =>
    client.request({ method, params } as never) as Promise<unknown>;
  const loser = publisher.toLowerCase();

  // Nothing is mined meanwhile, so the old chain is known to its last block.
  await test.setIntervalMining({ interval: 0 });
  const head = Number(await client.getBlockNumber());
  const events: ChainEvent[] = await readEvents(fleet.rpcUrl, addresses);
  const kept: Hex[] = [];
  let lost = 0;
  for (let number = head - depth + 1; number <= head; number++) {
    const { transactions } = await client.getBlock({
      blockNumber: BigInt(number),
      includeTransactions: true,
    });
    for (const { hash, from } of transactions) {
      if (from.toLowerCase() === loser) lost += 1;
      else kept.push((await ask("eth_getRawTransactionByHash", [hash])) as Hex);
    }
  }
  const pairs = kept.map((raw, place) => [raw, Math.floor((place * depth) / Math.max(1, kept.length))]);
  const replacedAt = Date.now();
  await ask("anvil_reorg", [depth, pairs]);
  const until = Date.now();
  await test.setIntervalMining({ interval: fleet.blockTime });
  const detail = `${depth} blocks, ${kept.length} transactions mined again, ${lost} lost`;
  return { version: { events, head, fork: head - depth, replacedAt, until }, detail };
}
