import { isJsonObject, type JsonObject, metadataSchema } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { paymentFinding } from "./paymentFinding.ts";

const url = "https://api.example.com/forecast";
const usdcOnBase = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const payTo = "0x1111111111111111111111111111111111111111";

const incomplete = ["Some terms of payment couldn't be read. Complete them under Payments."];

const way = { scheme: "exact", network: "eip155:8453", amount: "10000", asset: usdcOnBase, payTo };
const encode = (terms: object) => Buffer.from(JSON.stringify(terms)).toString("base64");

/** Reads a response in the format of version 2. */
const readHeader = (header: string) =>
  paymentFinding(new Response("{}", { status: 402, headers: { "payment-required": header } }), url, false);
const readV2 = (terms: object) => readHeader(encode({ x402Version: 2, accepts: [way], ...terms }));
const readWays = async (...ways: unknown[]) => {
  const finding = await readV2({ accepts: ways });
  return { payments: finding?.metadata.payments as JsonObject[], notes: finding?.notes };
};
const read = (body: string) => paymentFinding(new Response(body, { status: 402 }), url, false);

describe("paymentFinding", () => {
  it("reads price, chain and resource of version 2", async () => {
    const finding = await readV2({
      resource: {
        url: "https://elsewhere.example/x",
        description: "A forecast for one place.",
        serviceName: "Example Weather",
        iconUrl: "https://api.example.com/icon.png",
        tags: ["weather", "two words"],
      },
      extensions: {
        bazaar: { info: { input: { type: "http", method: "get", queryParams: {} } }, schema: {} },
      },
    });
    expect(finding).toEqual({
      kind: "openapi",
      url,
      interfaces: 2,
      offers: ["paid requests"],
      metadata: {
        name: "Example Weather",
        description: "A forecast for one place.",
        image: "https://api.example.com/icon.png",
        traits: ["api:rest", "pay:x402", "pay:x402:eip155:8453", "weather"],
        endpoints: [{ name: "REST", endpoint: url, transport: { http: { url, method: "GET" } } }],
        payments: [
          {
            type: "x402",
            url,
            chains: ["eip155:8453"],
            payTo,
            price: { amount: "0.01", asset: usdcOnBase, symbol: "USDC" },
          },
        ],
      },
    });
  });

  it("reads a body of version 1 and converts its networks to CAIP-2", async () => {
    const { amount, ...rest } = way;
    const ways = ["base", "avalanche-fuji", "solana"].map((network) => ({
      ...rest,
      network,
      maxAmountRequired: amount,
      description: "A forecast.",
      outputSchema: { input: { type: "http", method: "POST" } },
    }));
    const finding = await read(JSON.stringify({ x402Version: 1, error: "Pay first.", accepts: ways }));
    expect(finding?.metadata).toMatchObject({
      description: "A forecast.",
      endpoints: [{ transport: { http: { method: "POST" } } }],
      payments: [
        { chains: ["eip155:8453"], price: { amount: "0.01", symbol: "USDC" } },
        { chains: ["eip155:43113"] },
        { chains: ["solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"], price: { asset: usdcOnBase } },
      ],
      traits: ["api:rest", "pay:x402", "pay:x402:eip155:8453", "pay:x402:eip155:43113"],
    });
  });

  it("recognizes an MCP server by the bazaar extension", async () => {
    const finding = await readV2({
      extensions: { bazaar: { info: { input: { type: "mcp", tool: "search" } } } },
    });
    expect(finding).toMatchObject({
      kind: "mcp",
      metadata: { endpoints: [{ name: "MCP", endpoint: url }] },
    });
    expect(finding?.metadata.traits).toEqual(["api:mcp", "pay:x402", "pay:x402:eip155:8453"]);
  });

  it("reports a price in an asset of unknown decimals", async () => {
    const { payments, notes } = await readWays({ ...way, asset: payTo, extra: { name: "Points" } });
    expect(payments[0]?.price).toEqual({ asset: payTo, symbol: "Points" });
    expect(notes).toEqual(incomplete);
  });

  it("uses the decimals that the response states for another asset", async () => {
    const { payments, notes } = await readWays({ ...way, asset: payTo, extra: { decimals: 18 } });
    expect(payments[0]?.price).toEqual({ amount: "0.00000000000001", asset: payTo });
    expect(notes).toBeUndefined();
  });
});

describe("paymentFinding, with hostile terms", () => {
  it.each([
    ["no header and no body", ""],
    ["base64 garbage", "!!!! not base64 %%%"],
    ["base64 of garbage", Buffer.from([0xff, 0xfe, 0, 1]).toString("base64")],
    ["a header of 1 MB", Buffer.from("a".repeat(1_000_000)).toString("base64")],
    ["no ways to pay", encode({ x402Version: 2, accepts: [] })],
    ["ways to pay that are no objects", encode({ x402Version: 2, accepts: [1, "2", null] })],
    ["a list", encode([way])],
    ["a number out of range", Buffer.from(`{"accepts":[{"amount":1e400}]}`).toString("base64")],
    ["deep nesting", Buffer.from(`${'{"accepts":['.repeat(5_000)}`).toString("base64")],
  ])("finds nothing in %s", async (_, header) => {
    expect(await readHeader(header)).toBeUndefined();
    expect(await read(header)).toBeUndefined();
  });

  it("reads only the first of 10,000 ways to pay, and reports it", async () => {
    const { payments, notes } = await readWays(
      ...Array.from({ length: 10_000 }, (_, index) => ({ ...way, amount: String(index) })),
    );
    expect(payments).toHaveLength(20);
    expect(notes).toEqual(incomplete);
  });

  it.each([
    ["-10000", 6],
    ["1e400", 6],
    ["9".repeat(79), 6],
    [{ toString: "1" }, 6],
    ["10000", 1_000_000_000],
    ["10000", 1.5],
  ])("drops the amount %j with %j decimals", async (amount, decimals) => {
    const { payments, notes } = await readWays({ ...way, amount, asset: payTo, extra: { decimals } });
    expect(payments[0]?.price).toEqual({ asset: payTo });
    expect(notes).toHaveLength(1);
  });

  it.each(["defineChain", "8453", "eip155:8453\u202e", "__proto__"])(
    "drops the network %j",
    async (network) => {
      const { payments, notes } = await readWays({ ...way, network });
      expect(payments[0]).not.toHaveProperty("chains");
      expect(notes).toEqual(incomplete);
    },
  );

  it("drops keys of the prototype and text direction marks", async () => {
    const text = JSON.stringify({
      accepts: [
        { ...way, asset: "USDC\u202e", payTo: "<b>", extra: { name: "\u202eCDSU".padEnd(500, "x") } },
      ],
      resource: { description: "\u202etsacerof", serviceName: "\u2066Weather" },
    }).replace('"accepts"', '"__proto__":{"polluted":true},"constructor":{"a":1},"accepts"');
    const finding = await readHeader(Buffer.from(text).toString("base64"));
    expect(isJsonObject(finding?.metadata)).toBe(true);
    expect(JSON.stringify(finding)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|polluted|<b>/);
    expect(JSON.stringify(finding).length).toBeLessThan(1_000);
    expect(metadataSchema.shape.payments.safeParse(finding?.metadata.payments).success).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
