import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createPublicClient } from "viem";
import { describe, expect, it, onTestFinished } from "vitest";
import { rpcTransport } from "./rpcTransport.ts";

type Call = { id: number };

describe("an RPC that names its caller's key in an error", () => {
  /** What is known of a failure of an RPC that answers each call as it is told to. */
  async function failureOf(answerTo: (call: Call) => object, status = 200): Promise<string> {
    const server = createServer(async (request, response) => {
      const answers = [JSON.parse(await text(request))].flat().map(answerTo);
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify(status === 200 ? answers : answers[0]));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const url = `http://name:pass%21word@127.0.0.1:${port}/v3/pathSecret?apikey=querySecret`;
    const client = createPublicClient({ transport: rpcTransport(url) });
    const error = await client.getBlockNumber().then(
      () => undefined,
      (thrown: { details: string }) => thrown,
    );
    return error?.details ?? "";
  }
  const message = "pathSecret, querySecret and pass!word are over their quota";

  it("is quoted without it", async () => {
    const failure = await failureOf(({ id }) => ({ jsonrpc: "2.0", id, error: { code: -32_000, message } }));
    expect(failure).toMatch(/quota/);
    expect(failure).not.toMatch(/Secret|pass!/);
  });

  it("is quoted without it when the error is one of HTTP", async () => {
    const failure = await failureOf(() => ({ error: { message } }), 401);
    expect(failure).toMatch(/quota/);
    expect(failure).not.toMatch(/Secret|pass!/);
  });
});
