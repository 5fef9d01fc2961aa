import { eventually } from "@app-registry/test-kit/eventually";
import { freePort } from "@app-registry/test-kit/freePort";
import { get, search } from "@app-registry/test-kit/indexerRequests";
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

type Answer = {
  status: number;
  type: string;
  body: { code?: string; block?: number; chainBlock?: number; detail?: string; results?: unknown[] };
};

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

  const ask = async (url: string) =>
    (await get({ url }, "/search", { limit: 100, status: "any" }).catch(() => undefined)) as
      | Answer
      | undefined;

  it("answers searches with 503 and its progress until it is complete", async () => {
    const proxy = await startRpcProxy(chain.rpcUrl);
    onTestFinished(() => proxy.close());
    const indexer = await spawnIndexer({ ...chain, rpcUrl: proxy.url }, { index: "building", environment });
    const answers: Answer[] = [];
    // Delay every request, as a network does, so that the test sees many stages of the index.
    const slow = (): void =>
      proxy.at(1, async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        slow();
      });
    slow();
    while (answers.at(-1)?.status !== 200) {
      const answer = await ask(indexer.url);
      if (answer) answers.push(answer);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }

    const last = answers.pop() as Answer;
    expect(last.body.block).toBeGreaterThanOrEqual(head);
    expect(last.body.results).toHaveLength(whole);
    expect(answers.length).toBeGreaterThan(0);
    for (const { status, type, body } of answers) {
      expect(status).toBe(503);
      expect(type).toBe("application/problem+json");
      expect(body.code).toBe("not-ready");
      expect(body.block).toBeLessThanOrEqual(head);
      // On a busy machine, the RPC may take longer than a second to answer.
      if (body.chainBlock === null) expect(body.detail).toMatch(/^Block \d+ is indexed; /);
      else
        expect(body.detail).toMatch(
          new RegExp(`^Block \\d+ of ${body.chainBlock} is indexed \\(\\d+ %\\)\\.$`),
        );
    }
    expect(new Set(answers.flatMap(({ body }) => body.chainBlock ?? []))).toEqual(new Set([head]));
    const blocks = answers.map(({ body }) => Number(body.block));
    expect(blocks).toEqual([...blocks].sort((one, other) => one - other));
    expect(await get(indexer, `/apps/0x${"11".repeat(32)}/versions`)).toMatchObject({ status: 200 });
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
    const indexed = async () => {
      const { body } = (await get(killed, "/search", {}).catch(() => ({ body: {} }))) as Pick<Answer, "body">;
      return body.block ?? 0;
    };
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
