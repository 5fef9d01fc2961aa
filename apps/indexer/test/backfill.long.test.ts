import type { IndexState } from "@app-registry/index/openIndex";
import { eventually } from "@app-registry/test-kit/eventually";
import { freePort } from "@app-registry/test-kit/freePort";
import { search } from "@app-registry/test-kit/indexReads";
import {
  type Chain,
  rpc,
  spawnIndexer,
  startChain,
  startIndexer,
  stopAll,
} from "@app-registry/test-kit/startIndexer";
import { numberToHex } from "viem";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { localAccount } from "../../../scripts/stack/accounts.ts";
import { createReader } from "./harness/chainRows.ts";
import { prepareRandomActions, runRandomActions } from "./harness/randomActions.ts";
import { register } from "./harness/registry.ts";
import { removeStaleLock } from "./harness/removeStaleLock.ts";
import { startRpcProxy } from "./harness/rpcProxy.ts";

const environment = { OFFCHAIN_DOCUMENTS: "off" };

describe("an index that is being built", () => {
  let chain: Chain;
  let head: number;
  let whole: number;

  beforeAll(async () => {
    chain = await startChain();
    await prepareRandomActions(chain);
    await runRandomActions(chain, { seed: 3, count: 200 });
    head = Number(await rpc(chain.rpcUrl, "eth_blockNumber", []));
    whole = Number(await createReader(chain).totalSupply());
    expect(whole).toBeGreaterThan(3);
  });

  afterAll(() => stopAll(chain));

  it("reports its progress, and is ready when it is complete", async () => {
    const proxy = await startRpcProxy(chain.rpcUrl);
    onTestFinished(() => proxy.close());
    const indexer = await spawnIndexer({ ...chain, rpcUrl: proxy.url }, { index: "building", environment });
    const states: IndexState[] = [];
    // Delay every request, as a network does, so that the test sees many stages of the index.
    const slow = (): void =>
      proxy.at(1, async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        slow();
      });
    slow();
    while (!states.at(-1)?.isReady) {
      states.push(await indexer.index.read(async (_session, state) => state));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }

    const page = await search(indexer, { limit: 100, status: "any" });
    expect(page.block).toBeGreaterThanOrEqual(head);
    expect(page.results).toHaveLength(whole);
    const blocks = states.slice(0, -1).map(({ block = 0 }) => block);
    expect(blocks.length).toBeGreaterThan(0);
    expect(Math.max(...blocks)).toBeLessThanOrEqual(head);
    expect(blocks).toEqual([...blocks].sort((one, other) => one - other));
  });
});

describe("an indexer that is killed when it has fetched all old blocks but the last", () => {
  /** Blocks that Ponder fetches first, and number of confirmations after which it treats a block as final. */
  const [FETCHED, NEW] = [26, 30];
  let chain: Chain;
  afterAll(() => stopAll(chain));

  it("does not report the last block as indexed, and indexes it after a restart", async () => {
    chain = await startChain();
    const mine = async (count: number) => {
      for (let mined = 0; mined < count; mined++) await rpc(chain.rpcUrl, "evm_mine", []);
    };
    const last = chain.deployment.deployBlock + FETCHED;
    const [did, account] = ["did:web:last.example", localAccount(3)];
    // The attestation is in the block before.
    await mine(last - 2 - Number(await rpc(chain.rpcUrl, "eth_blockNumber", [])));
    expect(await register(chain, account, { did, metadata: { name: "Last" } })).toBe(last);
    await mine(NEW);

    const proxy = await startRpcProxy(chain.rpcUrl);
    onTestFinished(() => proxy.close());
    const release = proxy.hold(`"fromBlock":"${numberToHex(last)}"`);
    const killed = await spawnIndexer({ ...chain, rpcUrl: proxy.url }, { environment });
    const indexed = () => killed.index.read(async (_session, { block = 0 }) => block);
    await eventually(async () => expect(await indexed()).toBeGreaterThanOrEqual(last - 1));
    expect(await indexed()).toBe(last - 1);
    await killed.kill();
    release();
    await removeStaleLock(chain, {});
    // The first endpoint refuses connections.
    const RPC_URL = `http://127.0.0.1:${await freePort()},${chain.rpcUrl}`;
    const again = await startIndexer(chain, { environment: { ...environment, RPC_URL } });
    expect((await search(again, { did })).results).toHaveLength(1);
  });
});
