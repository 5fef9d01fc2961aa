import { Interfaces, liveFact, type Metadata } from "@app-registry/sdk";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { afterAll, describe, expect, it } from "vitest";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { probeService } from "./probeService.ts";

const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 30_000 });
afterAll(() => guardedFetch.close());

const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const [publisher, thief] = ["1", "2"].map((digit) => `0x${digit.repeat(40)}`) as [string, string];
const terms = { scheme: "exact", network: "base", asset: USDC, payTo: publisher, maxAmountRequired: "10000" };
const payment = {
  type: "x402",
  chains: ["eip155:8453"],
  payTo: publisher,
  price: { amount: "0.01", symbol: "USDC", asset: USDC.toLowerCase() },
};

type Served = { header?: boolean; name?: string; payments?: object[] };

/** Checks a service whose endpoint states these ways to pay. */
async function probe(
  accepts: object[],
  { header = false, name = "REST", payments = [payment] }: Served = {},
) {
  const body = JSON.stringify({ x402Version: header ? 2 : 1, accepts });
  const endpoint = await serveHttp((request, response) => {
    const encoded = header ? { "payment-required": Buffer.from(body).toString("base64") } : {};
    response.writeHead(402, { "content-type": "application/json", ...encoded });
    response.end(header || request.method === "HEAD" ? undefined : body);
  });
  const metadata = { endpoints: [{ name, endpoint }], payments } as unknown as Metadata;
  return probeService({ did: "did:web:localhost", metadata, interfaces: Interfaces.Api }, { guardedFetch });
}

// @threat documents: A server whose tools no longer match its record, or another spelling of a blocked one
describe("a live check of an endpoint that requires payment", () => {
  it.each([
    ["the recipient", { payTo: thief }],
    ["the asset", { asset: thief }],
    ["the network", { network: "polygon" }],
    ["a network that nobody knows", { network: "nowhere" }],
    ["an absent recipient", { payTo: undefined }],
  ])("fails if it changed: %s", async (_what, change) => {
    for (const served of [{}, { header: true }, { name: "MCP" }]) {
      const probed = await probe([{ ...terms, ...change }], served);
      expect(probed).toMatchObject({ outcome: "gated", drift: "changed" });
      const { outcome, reason } = liveFact(probed);
      expect(outcome).toBe("fail");
      expect(reason).toContain("payment");
    }
  });

  it("fails if one of several ways to pay was not registered, with both sides", async () => {
    const probed = await probe([terms, { ...terms, payTo: thief }]);
    expect(probed.endpoints[0]?.comparison?.changes).toEqual([
      {
        kind: "payment",
        name: thief,
        change: "changed",
        diff: [
          `- 0.01 USDC in ${USDC.toLowerCase()} to ${publisher} on eip155:8453`,
          `+ 0.01 USDC in ${USDC} to ${thief} on eip155:8453`,
        ],
      },
    ]);
  });

  it("passes with the registered terms, in other capitals", async () => {
    expect(await probe([terms])).toMatchObject({ outcome: "gated", drift: "same" });
    expect(await probe([terms], { header: true })).toMatchObject({ drift: "same" });
  });

  it("says another amount without failing", async () => {
    const probed = await probe([{ ...terms, maxAmountRequired: "5000000" }]);
    expect(probed).toMatchObject({ drift: "same" });
    expect(liveFact(probed)).toMatchObject({ outcome: "pass", reason: expect.stringContaining("5 USDC") });
  });

  it.each([
    ["the document registers none", [terms], { payments: [] }],
    [
      "the document registers another URL's",
      [terms],
      { payments: [{ ...payment, url: "https://a.example/" }] },
    ],
    ["the host states none", [], {}],
  ])("compares nothing if %s", async (_why, accepts, served) => {
    expect(await probe(accepts, served)).toMatchObject({ outcome: "gated", drift: "not-comparable" });
  });

  it("does not call the tools of a paid MCP server the same", async () => {
    expect(await probe([terms], { name: "MCP" })).toMatchObject({ drift: "not-comparable" });
  });
});
