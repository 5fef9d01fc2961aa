import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { GuardedFetch } from "@app-registry/outbound";
import { encodeAbiParameters, zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Registry } from "../registry.ts";
import { serve } from "../test/serve.ts";
import { serveEnsAddress } from "./ensName.ts";

const holder = "0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199";
const guardedFetch = { openSession: () => ({ fetch, close() {} }) } as unknown as GuardedFetch;

/** Account that Ethereum names, or undefined while it doesn't respond. */
let named: `0x${string}` | undefined;
let ethereum: Server;
beforeAll(async () => {
  ethereum = createServer(async (request, response) => {
    const [call] = await request.toArray();
    const { id } = JSON.parse(String(call));
    if (named === undefined) {
      response.writeHead(500).end();
      return;
    }
    const answer = encodeAbiParameters([{ type: "address" }], [named]);
    const parameters = [{ type: "bytes" }, { type: "address" }] as const;
    const result = encodeAbiParameters(parameters, [answer, zeroAddress]);
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  await new Promise<void>((resolve) => ethereum.listen(0, "127.0.0.1", resolve));
});
afterAll(() => ethereum.close());

async function resolve(name: string, isConfigured = true) {
  const { port } = ethereum.address() as AddressInfo;
  const chainRpcUrls = new Map(isConfigured ? [[1, `http://127.0.0.1:${port}`]] : []);
  const source = { environment: { chainRpcUrls }, guardedFetch } as unknown as Registry;
  const answer = serve((request) => serveEnsAddress(request, source));
  const response = await answer(new Request(`http://localhost/api/ens/${encodeURIComponent(name)}`));
  return { status: response.status, body: await response.json() };
}

describe("GET /api/ens/{name}", () => {
  it("returns the account of the normalized name", async () => {
    named = holder;
    expect(await resolve("Example.eth")).toEqual({
      status: 200,
      body: { name: "example.eth", address: holder },
    });
  });

  it.each(["example", "exa mple.eth", "%.eth", holder])(
    "returns 404 for %s, which is no name",
    async (name) => {
      expect(await resolve(name)).toMatchObject({ status: 404, body: { detail: "This isn't an ENS name." } });
    },
  );

  it("returns 404 for a name without an account, and without an RPC for Ethereum", async () => {
    named = zeroAddress;
    expect(await resolve("nobody.eth")).toMatchObject({
      status: 404,
      body: { detail: "No account has this name." },
    });
    expect(await resolve("example.eth", false)).toMatchObject({ status: 404, body: { code: "not-found" } });
  });

  it("returns 503 while Ethereum doesn't respond", async () => {
    named = undefined;
    expect(await resolve("example.eth")).toMatchObject({ status: 503, body: { code: "chain-unavailable" } });
  });
});
