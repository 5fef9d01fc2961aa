import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createDatabase } from "@app-registry/test-kit/postgres";
import { HttpRequestError, TimeoutError } from "viem";
import { afterEach, describe, expect, it, vi } from "vitest";
import { committedConnection } from "../committedConnection.ts";

/** Imports an internal module of Ponder. */
function ponderModule(path: string) {
  const index = fileURLToPath(import.meta.resolve("ponder"));
  return import(pathToFileURL(join(dirname(index), path)).href);
}

describe("committedConnection", () => {
  it("makes Ponder's commits wait until they are on disk", async () => {
    const { createPool } = await ponderModule("utils/pg.js");
    const database = await createDatabase();
    const pool = createPool({ connectionString: database.url, ...committedConnection }, console);
    const { rows } = await pool.query("SHOW synchronous_commit");
    await pool.end();
    expect(rows).toEqual([{ synchronous_commit: "on" }]);
  });
});

describe("Ponder's limit of requests a second", () => {
  afterEach(() => vi.useRealTimers());

  /** Starts a client of a simulated RPC that responds with `answer`. Returns the client's log of its limit. */
  async function startClient(answer: (number: number) => unknown) {
    const { createRpc } = await ponderModule("rpc/index.js");
    const limits: number[] = [];
    const note = ({ rps_limit }: { rps_limit?: number }) => rps_limit !== undefined && limits.push(rps_limit);
    const silent = () => undefined;
    const logger = { debug: note, warn: silent, trace: silent, info: silent, error: silent };
    const metric = { inc: silent, observe: silent };
    const metrics = { ponder_rpc_request_duration: metric, ponder_rpc_request_error_total: metric };
    let number = 0;
    const transport = () => ({ request: async () => answer(++number) });
    const chain = { name: "chain", id: 1, rpc: transport };
    const rpc = createRpc({ common: { logger, metrics, shutdown: { add: silent } }, chain });
    const request = () => rpc.request({ method: "eth_blockNumber" });
    return { limits, request };
  }

  it("does not change if the RPC times out", async () => {
    const { limits, request } = await startClient((number) => {
      if (number <= 3) throw new TimeoutError({ body: {}, url: "http://127.0.0.1" });
      return "0x1";
    });
    vi.useFakeTimers();
    const answered = request();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await answered).toBe("0x1");
    expect(limits).toEqual([20, 20, 20]);
  });

  it("rises again from its lowest value when the RPC stops refusing requests", async () => {
    let isRefusing = true;
    const { limits, request } = await startClient(() => {
      if (isRefusing) throw new HttpRequestError({ body: {}, url: "http://127.0.0.1", status: 429 });
      return "0x1";
    });
    vi.useFakeTimers();
    for (let refused = 0; refused < 5; refused++) {
      void request().catch(() => undefined);
      await vi.advanceTimersByTimeAsync(200_000);
    }
    expect(limits.at(-1)).toBe(3);
    isRefusing = false;
    const workers = [1, 2, 3, 4].map(async () => {
      while (limits.at(-1) === 3) await request();
    });
    await vi.advanceTimersByTimeAsync(300_000);
    expect(limits.at(-1)).toBeGreaterThan(3);
    await Promise.all(workers);
  });
});
