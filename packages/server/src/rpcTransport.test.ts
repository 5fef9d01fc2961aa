import { text } from "node:stream/consumers";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { createPublicClient } from "viem";
import { describe, expect, it } from "vitest";
import { rpcTransport } from "./connections.ts";

type Call = { id: number };

/** Starts an RPC that responds to each call as the test specifies. */
async function serveRpc(answerTo: (call: Call) => object, status = 200): Promise<string> {
  return serveHttp(async (request, response) => {
    const body: unknown = JSON.parse(await text(request));
    const answers = [body].flat().map((call) => answerTo(call as Call));
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(status === 200 && Array.isArray(body) ? answers : answers[0]));
  });
}

const to = "0x0000000000000000000000000000000000000001";

/** Client of an RPC that answers its first calls with an error, and the number of calls that reached it. */
async function createClient(error?: object, failures = Number.POSITIVE_INFINITY) {
  const count = { calls: 0 };
  const url = await serveRpc(({ id }) =>
    count.calls++ < failures && error
      ? { jsonrpc: "2.0", id, error }
      : { jsonrpc: "2.0", id, result: "0x01" },
  );
  return { client: createPublicClient({ transport: rpcTransport(url) }), count };
}

describe("reads at a block", () => {
  it("are sent once for concurrent equal reads", async () => {
    const { client, count } = await createClient();
    const ask = (data: "0x01" | "0x02", blockNumber: bigint) => client.call({ to, data, blockNumber });
    await Promise.all([ask("0x01", 7n), ask("0x01", 7n)]);
    expect(count.calls).toBe(1);
    await Promise.all([ask("0x02", 7n), ask("0x01", 8n)]);
    expect(count.calls).toBe(3);
  });

  it("are not cached for the latest block, which may change", async () => {
    const { client, count } = await createClient();
    await Promise.all([client.call({ to }), client.call({ to })]);
    expect(count.calls).toBe(2);
  });

  it("are sent again after an error", async () => {
    const { client } = await createClient({ code: -32_000, message: "over the quota" }, 1);
    await expect(client.call({ to, blockNumber: 7n })).rejects.toThrow();
    expect(await client.call({ to, blockNumber: 7n })).toEqual({ data: "0x01" });
  });
});

describe("a block that the endpoint returned but does not have", () => {
  it.each([
    ["header not found"],
    ["BlockOutOfRangeError: block height is 5 but requested was 7"],
    ["Received invalid block tag 7. Latest block number is 5"],
    ["block #7 not found"],
  ])("is requested again after: %s", async (message) => {
    const { client } = await createClient({ code: -32_000, message }, 2);
    expect(await client.call({ to, blockNumber: 7n })).toEqual({ data: "0x01" });
  });

  it("is given up after four calls", async () => {
    const { client, count } = await createClient({ code: -32_000, message: "header not found" });
    await expect(client.call({ to, blockNumber: 7n })).rejects.toThrow();
    expect(count.calls).toBe(4);
  });
});

describe("a contract that reverts with the message of a node", () => {
  it.each([
    [3, "execution reverted: block 7 not found"],
    [-32_000, `${"block ".repeat(11_000)}not found`],
    [-32_603, `${" ".repeat(65_536)}header not found`],
  ])("is not called again (code %d)", async (code, message) => {
    const { client, count } = await createClient({ code, message, data: `0x${"00".repeat(65_536)}` });
    await expect(client.call({ to, blockNumber: 7n })).rejects.toThrow();
    // The HTTP transport itself retries an internal error of a node.
    expect(count.calls).toBe(code === -32_603 ? 2 : 1);
  });
});

describe("an RPC that includes its key in an error", () => {
  /** Returns the error of an RPC that responds to each call as the test specifies. */
  async function getFailure(answerTo: (call: Call) => object, status = 200): Promise<string> {
    const { host } = new URL(await serveRpc(answerTo, status));
    const url = `http://name:pass%21word@${host}/v3/pathSecret?apikey=querySecret`;
    const client = createPublicClient({ transport: rpcTransport(url) });
    const error = await client.getBlockNumber().then(
      () => undefined,
      (thrown: { details: string }) => thrown,
    );
    return error?.details ?? "";
  }
  const message = "pathSecret, querySecret and pass!word are over their quota";

  it("has its error quoted without the key", async () => {
    const failure = await getFailure(({ id }) => ({ jsonrpc: "2.0", id, error: { code: -32_000, message } }));
    expect(failure).toMatch(/quota/);
    expect(failure).not.toMatch(/Secret|pass!/);
  });

  it("has its HTTP error quoted without the key", async () => {
    const failure = await getFailure(() => ({ error: { message } }), 401);
    expect(failure).toMatch(/quota/);
    expect(failure).not.toMatch(/Secret|pass!/);
  });
});
