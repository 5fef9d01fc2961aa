import { text } from "node:stream/consumers";
import { startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import { deadOrigin, serveHttp } from "@app-registry/test-kit/httpServer";
import { registerApp, type TestRegistry, testRegistry } from "@app-registry/test-kit/testRegistry";
import { createPublicClient, http } from "viem";
import { beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { getSite } from "../../test/getSite.ts";
import { createAppRegistryClient } from "../client/createAppRegistryClient.ts";
import { fetchDocument } from "./documents.ts";
import type { VerificationReport } from "./report.ts";
import { verifyApp } from "./verifyApp.ts";

const outcomes = ({ facts }: VerificationReport) =>
  Object.fromEntries(Object.entries(facts).map(([name, { outcome }]) => [name, outcome]));

const stepOutcomes = ({ steps }: VerificationReport) =>
  steps.map(({ step, outcome }) => `${step} ${outcome}`);

const allPass = { record: "pass", control: "pass", content: "pass", attested: "pass", origin: "pass" };

describe("verifyApp, with a host or an RPC that does not respond", () => {
  let registry: TestRegistry;

  let did: string;

  beforeAll(async () => {
    registry = await testRegistry();
    ({ did } = await registerApp(registry));
  });

  const verify = (options: Partial<Parameters<typeof verifyApp>[0]>) =>
    verifyApp({ client: registry.publisher, did, fetchDocument, siteOf: getSite, ...options });

  const unknowns = Object.fromEntries(Object.keys(allPass).map((name) => [name, "unknown"]));

  // @threat services: A host or an RPC endpoint that is down or slow
  it("returns unknown facts if the RPC is down", async () => {
    const publicClient = createPublicClient({ transport: http(deadOrigin, { retryCount: 0 }) });
    const client = createAppRegistryClient({ deployment: registry.deployment, publicClient });
    const report = await verify({ client });
    expect(outcomes(report)).toEqual(unknowns);
    expect(report.facts.record.reason).toBe("The chain's RPC endpoint is not responding.");
    expect(stepOutcomes(report).every((step) => step.endsWith("unknown"))).toBe(true);
  });

  it("ends in time if the RPC does not respond", async () => {
    const publicClient = createPublicClient({ transport: http(await serveHttp(() => undefined)) });
    const client = createAppRegistryClient({ deployment: registry.deployment, publicClient });
    const report = await verify({ client, timeoutMs: 300 });
    expect(outcomes(report)).toEqual(unknowns);
    expect(report.facts.record.reason).toBe("The chain's RPC endpoint did not respond in time.");
  });

  /** Creates a client whose RPC returns the result of `answer` for the method of each request, or does not respond. */
  async function createClient(answer: (method: string) => Promise<string | undefined>) {
    const url = await serveHttp(async (request, response) => {
      const { method } = JSON.parse(await text(request)) as { method: string };
      const body = await answer(method);
      if (body !== undefined) response.end(body);
    });
    const publicClient = createPublicClient({ transport: http(url, { retryCount: 0 }) });
    return createAppRegistryClient({ deployment: registry.deployment, publicClient });
  }

  const result = (value: unknown) => JSON.stringify({ jsonrpc: "2.0", id: 1, result: value });

  it.each([
    ["a page", "<html>Welcome</html>"],
    ["an empty body", ""],
    ["JSON of another shape", '{"message":"hello"}'],
    [
      "an error of its own",
      JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "oops" } }),
    ],
    ["text instead of a number", result("twelve")],
    ["no contract data", result("0x")],
  ])("returns unknown facts if the RPC responds with %s", async (_, body) => {
    const client = await createClient(async () => body);
    const report = await verify({ client, timeoutMs: 5_000 });
    expect(outcomes(report)).toEqual(unknowns);
    expect(report.facts.record.reason).toMatch(/RPC|chain/);
  });

  it.each([
    ["does not respond", async () => undefined],
    ["responds with HTML", async () => "<html>"],
    ["responds without contract data", async () => result("0x")],
  ])("returns unknown facts if the RPC %s after the block number", async (_, after) => {
    const first: Record<string, string> = {
      eth_chainId: result("0x7a69"),
      eth_blockNumber: result("0x10"),
    };
    const client = await createClient(async (method) => first[method] ?? after());
    const report = await verify({ client, timeoutMs: 500 });
    expect(outcomes(report)).toEqual(unknowns);
    expect(report.blockNumber).toBe(16);
    expect(report.facts.record.reason).toMatch(/RPC|chain/);
  });

  it("returns the facts read before the RPC stopped responding", async () => {
    const rpc = await startFaultyRpc(inject("rpcUrl"));
    onTestFinished(() => rpc.close());
    let calls = 0;
    // Respond to the calls for the latest major and the record only.
    rpc.break(({ method }) => (method === "eth_call" && ++calls > 2 ? new Promise(() => undefined) : "pass"));
    const publicClient = createPublicClient({ transport: http(rpc.url, { retryCount: 0 }) });
    const client = createAppRegistryClient({ deployment: registry.deployment, publicClient });
    const { facts } = await verify({ client, fetchDocument: undefined, timeoutMs: 1_000 });
    expect(facts.record.outcome).toBe("pass");
    for (const { outcome, reason } of [facts.control, facts.attested, facts.content]) {
      expect(outcome).toBe("unknown");
      expect(reason).toContain("The chain's RPC endpoint did not respond in time.");
    }
  });

  it("ends in time although fetchDocument ignores the signal", async () => {
    const { content } = (await verify({ fetchDocument: () => new Promise(() => undefined), timeoutMs: 500 }))
      .facts;
    expect(content.outcome).toBe("unknown");
    expect(content.reason).toMatch(
      /The host of https:\/\/example.com\/metadata.json did not respond in time/,
    );
  });

  it.each([
    ["is down", () => Promise.resolve(deadOrigin)],
    ["does not respond", () => serveHttp(() => undefined)],
    ["responds with an error", () => serveHttp((_, response) => response.writeHead(500).end())],
  ])(
    "returns unknown content if the host of dataUrl %s, although the chain's copy matches",
    async (_, start) => {
      const origin = await start();
      const minted = await registerApp(registry, { dataUrl: `${origin}/metadata.json` });
      await registry.mined(registry.issuer.attestDataHash(minted));
      const report = await verify({ did: minted.did, timeoutMs: 1000 });
      expect(outcomes(report)).toEqual({ ...allPass, content: "unknown" });
      expect(stepOutcomes(report).slice(0, 4)).toEqual([
        "fetch unknown",
        "canonicalize unknown",
        "hash unknown",
        "compare unknown",
      ]);
      expect(report.facts.content.evidence.documents).toMatchObject([
        { source: "chain", outcome: "pass" },
        { source: "dataUrl", outcome: "unknown", location: minted.dataUrl },
      ]);
    },
  );
});
