import { createPublicClient, http } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { registerApp, type TestRegistry, testRegistry } from "../../test/chain/testRegistry.ts";
import { deadOrigin, serveHttp } from "../../test/httpServer.ts";
import { createAppRegistryClient } from "../client/createAppRegistryClient.ts";
import { fetchDocument } from "./fetchDocument.ts";
import type { VerificationReport } from "./report.ts";
import { verifyApp } from "./verifyApp.ts";

const outcomes = ({ facts }: VerificationReport) =>
  Object.fromEntries(Object.entries(facts).map(([name, { outcome }]) => [name, outcome]));

const stepOutcomes = ({ steps }: VerificationReport) =>
  steps.map(({ step, outcome }) => `${step} ${outcome}`);

const allPass = { record: "pass", control: "pass", content: "pass", attested: "pass", requirements: "pass" };

describe("verifyApp when something does not answer", () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await testRegistry();
  });

  const verify = (did: string, options: Partial<Parameters<typeof verifyApp>[0]> = {}) =>
    verifyApp({ client: registry.publisher, did, fetchDocument, ...options });

  const unknowns = Object.fromEntries(Object.keys(allPass).map((name) => [name, "unknown"]));

  it("knows nothing while the RPC is down", async () => {
    const { did } = await registerApp(registry);
    const publicClient = createPublicClient({ transport: http(deadOrigin, { retryCount: 0 }) });
    const client = createAppRegistryClient({ deployment: registry.deployment, publicClient });
    const report = await verify(did, { client });
    expect(outcomes(report)).toEqual(unknowns);
    expect(report.facts.record.reason).toBe("The chain's RPC endpoint does not answer.");
    expect(stepOutcomes(report).every((step) => step.endsWith("unknown"))).toBe(true);
  });

  it("ends in time while the RPC is silent", async () => {
    const { did } = await registerApp(registry);
    const publicClient = createPublicClient({ transport: http(await serveHttp(() => undefined)) });
    const client = createAppRegistryClient({ deployment: registry.deployment, publicClient });
    const started = Date.now();
    const report = await verify(did, { client, timeoutMs: 300 });
    expect(Date.now() - started).toBeLessThan(2000);
    expect(outcomes(report)).toEqual(unknowns);
    expect(report.facts.record.reason).toBe("The chain's RPC endpoint did not answer in time.");
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
