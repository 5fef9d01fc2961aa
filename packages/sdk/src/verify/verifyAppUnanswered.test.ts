import { text } from "node:stream/consumers";
import { deadOrigin, serveHttp } from "@app-registry/test-kit/httpServer";
import { registerApp, type TestRegistry, testRegistry } from "@app-registry/test-kit/testRegistry";
import { createPublicClient, http } from "viem";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { getSite } from "../../test/getSite.ts";
import { createAppRegistryClient } from "../client/createAppRegistryClient.ts";
import { fetchDocument } from "./fetchDocument.ts";
import type { VerificationReport } from "./report.ts";
import { verifyApp } from "./verifyApp.ts";

const outcomes = ({ facts }: VerificationReport) =>
  Object.fromEntries(Object.entries(facts).map(([name, { outcome }]) => [name, outcome]));

const stepOutcomes = ({ steps }: VerificationReport) =>
  steps.map(({ step, outcome }) => `${step} ${outcome}`);

const allPass = { record: "pass", control: "pass", content: "pass", attested: "pass", origin: "pass" };

describe("verifyApp when something does not answer", () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await testRegistry();
  });

  const verify = (did: string, options: Partial<Parameters<typeof verifyApp>[0]> = {}) =>
    verifyApp({ client: registry.publisher, did, fetchDocument, siteOf: getSite, ...options });

  const unknowns = Object.fromEntries(Object.keys(allPass).map((name) => [name, "unknown"]));

  // @threat services: An RPC that is down, slow or lying
  it("knows nothing while the RPC is down", async () => {
    const { did } = await registerApp(registry);
    const publicClient = createPublicClient({ transport: http(deadOrigin, { retryCount: 0 }) });
    const client = createAppRegistryClient({ deployment: registry.deployment, publicClient });
    const report = await verify(did, { client });
    expect(outcomes(report)).toEqual(unknowns);
    expect(report.facts.record.reason).toBe("The chain's RPC endpoint is not responding.");
    expect(stepOutcomes(report).every((step) => step.endsWith("unknown"))).toBe(true);
  });

  it("ends in time while the RPC is silent", async () => {
    const { did } = await registerApp(registry);
    const publicClient = createPublicClient({ transport: http(await serveHttp(() => undefined)) });
    const client = createAppRegistryClient({ deployment: registry.deployment, publicClient });
    const report = await verify(did, { client, timeoutMs: 300 });
    expect(outcomes(report)).toEqual(unknowns);
    expect(report.facts.record.reason).toBe("The chain's RPC endpoint did not respond in time.");
  });

  /** A client whose RPC answers what `answer` makes of each request's method, or not at all. */
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
    ["nothing", ""],
    ["another kind of JSON", '{"message":"hello"}'],
    [
      "an error of its own",
      JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "oops" } }),
    ],
    ["what is no number", result("twelve")],
    ["no contract's code", result("0x")],
  ])("knows nothing while the RPC answers with %s", async (_, body) => {
    const { did } = await registerApp(registry);
    const client = await createClient(async () => body);
    const report = await verify(did, { client, timeoutMs: 5_000 });
    expect(outcomes(report)).toEqual(unknowns);
    expect(report.facts.record.reason).toMatch(/RPC|chain/);
  });

  it.each([
    ["falls silent", async () => undefined],
    ["answers with garbage", async () => "<html>"],
    ["names another chain's contract", async () => result("0x")],
  ])("knows nothing of the record when the RPC %s after the block", async (_, after) => {
    const { did } = await registerApp(registry);
    const first: Record<string, string> = {
      eth_chainId: result("0x7a69"),
      eth_blockNumber: result("0x10"),
    };
    const client = await createClient(async (method) => first[method] ?? after());
    const report = await verify(did, { client, timeoutMs: 500 });
    expect(outcomes(report)).toEqual(unknowns);
    expect(report.blockNumber).toBe(16);
    expect(report.facts.record.reason).toMatch(/RPC|chain/);
  });

  it("keeps what it has read when the RPC falls silent in between", async () => {
    const { did } = await registerApp(registry);
    const rpcUrl = inject("rpcUrl");
    let calls = 0;
    const url = await serveHttp(async (request, response) => {
      const body = await text(request);
      const { method } = JSON.parse(body) as { method: string };
      // The latest major and the record; what comes after has no answer.
      if (method === "eth_call") calls += 1;
      if (calls > 2) return;
      const headers = { "content-type": "application/json" };
      response.end(await (await fetch(rpcUrl, { method: "POST", headers, body })).text());
    });
    const publicClient = createPublicClient({ transport: http(url, { retryCount: 0 }) });
    const client = createAppRegistryClient({ deployment: registry.deployment, publicClient });
    const { facts } = await verify(did, { client, fetchDocument: undefined, timeoutMs: 1_000 });
    expect(facts.record.outcome).toBe("pass");
    for (const { outcome, reason } of [facts.control, facts.attested, facts.content]) {
      expect(outcome).toBe("unknown");
      expect(reason).toContain("The chain's RPC endpoint did not respond in time.");
    }
  });

  it("ends in time although the fetcher ignores that it is told to stop", async () => {
    const { did } = await registerApp(registry);
    const { content } = (
      await verify(did, { fetchDocument: () => new Promise(() => undefined), timeoutMs: 500 })
    ).facts;
    expect(content.outcome).toBe("unknown");
    expect(content.reason).toMatch(
      /The host of https:\/\/example.com\/metadata.json did not respond in time/,
    );
  });

  it("fails the content when the host answers with something else: it did answer", async () => {
    const dataUrl = await serveHttp((_, response) => response.end("<html>Welcome</html>"));
    const { did } = await registerApp(registry, { dataUrl });
    expect((await verify(did)).facts.content.outcome).toBe("fail");
  });

  it.each([
    ["is down", () => Promise.resolve(deadOrigin)],
    ["is silent", () => serveHttp(() => undefined)],
    ["has an error", () => serveHttp((_, response) => response.writeHead(500).end())],
  ])(
    "does not know the content while the host of dataUrl %s, whatever the chain's copy says",
    async (_, start) => {
      const origin = await start();
      const minted = await registerApp(registry, { dataUrl: `${origin}/metadata.json` });
      await registry.mined(registry.issuer.attestDataHash(minted));
      const report = await verify(minted.did, { timeoutMs: 1000 });
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
