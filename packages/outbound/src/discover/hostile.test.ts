import { once } from "node:events";
import type { RequestListener } from "node:http";
import { Worker } from "node:worker_threads";
import { checkPublishable } from "@app-registry/sdk";
import { serveHttp } from "@app-registry/test-kit/httpServer";
import { countTcpConnections } from "@app-registry/test-kit/tcpConnections";
import { describe, expect, it } from "vitest";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { discoverService } from "./discoverService.ts";
import { createProposal } from "./findingList.ts";

const source = { guardedFetch: createGuardedFetch({ allowLoopback: true, timeout: 2_000 }) };
const MIB = 1024 * 1024;

/** Serves one text at every path with a given content type. */
const serveText = (text: string, type: string) =>
  serveHttp((request, response) => {
    if (request.method !== "GET") return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": type }).end(text);
  });

/** Counts the requests and the maximum number of concurrent ones. */
async function serveCounting(answer: RequestListener) {
  const seen = { requests: 0, running: 0, most: 0 };
  const origin = await serveHttp((request, response) => {
    seen.requests += 1;
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    response.once("close", () => {
      seen.running -= 1;
    });
    answer(request, response);
  });
  return { origin, seen };
}

/** Measures the CPU time of a task, in milliseconds. */
async function measureCpu<Result>(run: () => Promise<Result>): Promise<{ result: Result; cpu: number }> {
  const start = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(start);
  return { result, cpu: (user + system) / 1_000 };
}

describe("discoverService, at a hostile host", () => {
  const fill = (unit: string) => unit.repeat(Math.floor((MIB - 200) / unit.length));
  it.each([
    ["a page of unclosed tags", fill("<a>"), "text/html"],
    ["tags that are closed and were never opened", `<noscript>${fill("<noscript></b>")}`, "text/html"],
    ["a page of links", `<head>${fill('<link rel="icon" href="/a.png">')}`, "text/html"],
    ["an endless title", `<title>${fill("<b>&amp;")}`, "text/html"],
    ["a tag that never ends", `<meta ${fill("a=b ")}`, "text/html"],
    ["an endless comment", `<!--${fill("- ")}`, "text/html"],
    ["YAML of many keys", `openapi: 3.1.0\n${fill("k: 1\n")}`, "application/yaml"],
    [
      "YAML of explicit keys",
      `openapi: 3.1.0\ninfo:\n${fill("  ? a\n").slice(0, 60_000)}`,
      "application/yaml",
    ],
    ["YAML of nested lists", `openapi: 3.1.0\nx:\n${fill("- - - - - - - -\n")}`, "application/yaml"],
    ["YAML that nests", `openapi: 3.1.0\ninfo: ${"[".repeat(60_000)}`, "application/yaml"],
    [
      "YAML whose aliases multiply",
      `openapi: 3.1.0\ninfo:\n  a: &a [${"1,".repeat(50)}]\n  b: &b [${"*a,".repeat(50)}]\n  c: [${"*b,".repeat(50)}]\n`,
      "application/yaml",
    ],
    ["JSON that nests", `{"openapi":"3.1.0","info":${"[".repeat(MIB / 4)}`, "application/json"],
    [
      "a catalog of ten thousand addresses",
      `{"specVersion":"1.0","entries":[${Array(9_000).fill('{"mediaType":"application/a2a-agent-card+json","url":"/x.json"}')}]}`,
      "application/json",
    ],
    [
      "a catalog of a thousand faulty agents",
      `{"specVersion":"1.0","entries":[${Array(1_000).fill(`{"type":"a2a","data":{"name":"A","supportedInterfaces":[],"skills":[${Array(20).fill('{"tags":[1,"two words"]}')}]}}`)}]}`,
      "application/json",
    ],
    [
      "a catalog of nested catalogs",
      `{"specVersion":"1.0","entries":[${Array(90).fill(`{"type":"ai-catalog","data":{"specVersion":"1","entries":[${Array(90).fill('{"type":"ai-catalog","data":{"specVersion":"1","entries":[]}}')}]}}`)}]}`,
      "application/json",
    ],
    [
      "an agent card of faulty skills",
      `{"name":"A","supportedInterfaces":[],"skills":[${Array(20_000).fill('{"tags":[1,"two words"],"name":0}')}]}`,
      "application/json",
    ],
  ])("reads %s without blocking the process", async (_, text, type) => {
    const origin = await serveText(text, type);
    const { result, cpu } = await measureCpu(() =>
      discoverService(`${origin}/address`, { ...source, kind: "a2a" }),
    );
    expect(result.looked.length).toBeGreaterThan(0);
    expect(result.looked.length).toBeLessThanOrEqual(30);
    expect(cpu).toBeLessThan(6_000);
  });

  // @threat services: An imported document with secrets, thousands of places or unusable values
  it("requests at most four locations at a time and thirty in total, within the time limit", async () => {
    const { origin, seen } = await serveCounting(() => undefined);
    const start = Date.now();
    const { looked, findings } = await discoverService(origin, { ...source, timeout: 3_000 });
    expect(Date.now() - start).toBeLessThan(6_000);
    expect(findings).toEqual([]);
    expect(seen.most).toBeLessThanOrEqual(4);
    expect(seen.requests).toBeLessThanOrEqual(30);
    expect(looked.every(({ outcome }) => outcome === "failed")).toBe(true);
    expect(looked.some(({ reason }) => reason === "Skipped: out of time.")).toBe(true);
  });

  it("does not wait for an event stream", async () => {
    const { origin, seen } = await serveCounting((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": nothing\n\n");
    });
    const { looked } = await discoverService(origin, { ...source, kind: "website" });
    expect(looked[0]).toMatchObject({
      outcome: "absent",
      reason: expect.stringContaining("text/event-stream"),
    });
    await expect.poll(() => seen.running).toBe(0);
  });

  // @threat services: An imported document with secrets, thousands of places or unusable values
  it("ignores links to other sites and follows only a few on the same site", async () => {
    const other = await serveCounting((_, response) => response.writeHead(404).end());
    const links = Array.from({ length: 2_000 }, (_, index) => `${other.origin}/${index}.json`);
    const file = {
      type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
      name: "Agent",
      services: links.map((endpoint) => ({ name: "A2A", endpoint })),
    };
    const own = await serveCounting((_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(file)),
    );
    await discoverService(`${own.origin}/agent.json`, source);
    expect(other.seen.requests).toBe(0);
    expect(own.seen.requests).toBeLessThan(5);
  });

  // @threat services: An imported document with secrets, thousands of places or unusable values
  it("requests at most eight addresses that a document names, two at a time", async () => {
    const other = await serveCounting((_, response) => setTimeout(() => response.writeHead(404).end(), 50));
    const names = Array.from({ length: 2_000 }, (_, index) => [
      `mcp_${index}`,
      `${other.origin}/${index}/v1`,
    ]);
    const own = await serveText(JSON.stringify(Object.fromEntries(names)), "application/json");
    const { findings, notes } = await discoverService(`${own}/agents.json`, source);
    expect(findings).toHaveLength(20);
    expect(findings.every(({ isUnchecked }) => isUnchecked)).toBe(true);
    expect(notes).toEqual([`The document at ${own}/agents.json names 1980 more addresses.`]);
    expect(other.seen.most).toBeLessThanOrEqual(2);
    // A server may get a request of each revision and transport.
    expect(other.seen.requests).toBeLessThanOrEqual(8 * 3);
  });

  // @threat services: An imported document with secrets, thousands of places or unusable values
  it("opens no socket to a private address, and tries no other path of it", async () => {
    const guarded = { guardedFetch: createGuardedFetch() };
    const connections = countTcpConnections();
    const { findings, looked } = await discoverService("10.0.0.1", guarded);
    connections.stop();
    expect(findings).toEqual([]);
    expect(looked.map(({ outcome }) => outcome)).toEqual(["failed"]);
    expect(connections.count()).toBe(0);
  });

  it("needs little memory for eight million characters of repeated keys", async () => {
    const program = `const { parentPort, workerData: module } = require("node:worker_threads");
      const text = "{\\n" + "a:\\n".repeat(2_700_000);
      import(module)
        .then(({ detectDocument }) => detectDocument({ text, url: "https://a.example/", contentType: "" }))
        .catch(({ code }) => parentPort.postMessage(code));`;
    const worker = new Worker(program, {
      eval: true,
      workerData: new URL("./detectDocument.ts", import.meta.url).href,
      resourceLimits: { maxOldGenerationSizeMb: 192 },
    });
    expect(await once(worker, "message")).toEqual(["too-large"]);
    await worker.terminate();
  });

  it("treats names of Object.prototype like any other name", async () => {
    const text = `{"__proto__":{"name":"P"},"constructor":{"prototype":{"polluted":1}},"name":"A","skills":[{"tags":["__proto__","constructor"]}],
      "supportedInterfaces":[],"securitySchemes":{"__proto__":{"type":"http","scheme":"basic"},"constructor":{"type":"apiKey"}}}`;
    const origin = await serveText(text, "application/json");
    const { findings } = await discoverService(`${origin}/card.json`, source);
    expect(findings[0]?.metadata).toMatchObject({ name: "A", traits: ["api:a2a", "constructor"] });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(findings[0]?.metadata.constructor).toBe(Object);
  });

  // @threat services: An imported document with secrets, thousands of places or unusable values
  it("proposes only values that the metadata schema accepts", async () => {
    const long = "x".repeat(20_000);
    const card = {
      name: `A\u202e\n${long}`,
      description: long,
      iconUrl: "javascript:alert(1)",
      documentationUrl: "data:text/html,x",
      provider: { organization: " ", url: `https://example.com/${long}` },
      supportedInterfaces: [{ url: "https://example.com", protocolVersion: "1.0" }],
      skills: Array.from({ length: 50 }, (_, index) => ({ tags: [`tag-${index}`, "Not a trait"] })),
      securitySchemes: {
        a: {
          type: "oauth2",
          flows: { authorizationCode: { authorizationUrl: "ftp://x", tokenUrl: "nonsense" } },
        },
      },
    };
    const origin = await serveText(JSON.stringify(card), "application/json");
    const { metadata, proposed } = createProposal(
      await discoverService(`${origin}/.well-known/agent-card.json`, source),
    );
    expect(checkPublishable(metadata, 2, "")).toEqual([]);
    expect(proposed).toEqual(["/publisher"]);
    expect(metadata.traits).toHaveLength(20);
    expect(metadata.name).toMatch(/^A x+…$/);
    expect(metadata).not.toHaveProperty("image");
  });
});
