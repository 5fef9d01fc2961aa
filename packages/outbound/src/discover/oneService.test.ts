import { describe, expect, it } from "vitest";
import { agentCard, fourWords, serveFourServices } from "../../test/fourServices.ts";
import { serveSite } from "../../test/serveSite.ts";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { discoverService } from "./discoverService.ts";
import { createProposal } from "./findingList.ts";

const source = { guardedFetch: createGuardedFetch({ allowLoopback: true, timeout: 30_000 }) };
describe("discoverService, at a host of four services", () => {
  it.each(Object.entries(fourWords))("fills in only the service at %s", async (path, word) => {
    const { origin } = await serveFourServices();
    const discovery = await discoverService(origin + path, source);
    expect(discovery).not.toHaveProperty("needsChoice");
    expect(discovery).not.toHaveProperty("notes");
    expect(discovery.findings[0]?.url).toBe(origin + path);
    const text = JSON.stringify(createProposal(discovery).metadata).toLowerCase();
    expect(text).toMatch(new RegExp(word));
    const others = Object.values(fourWords).filter((other) => other !== word);
    expect(text).not.toMatch(new RegExp(others.join("|")));
  });

  it("requires a choice at the domain, with the services before the website", async () => {
    const { origin } = await serveFourServices();
    const discovery = await discoverService(new URL(origin).host, source);
    expect(discovery).toMatchObject({ needsChoice: true });
    expect(discovery.findings.map(({ kind }) => kind)).toEqual(["mcp", "a2a", "openapi", "website"]);
    for (const [index, word] of Object.values(fourWords).entries()) {
      const { metadata } = createProposal(discovery, discovery.findings[index]);
      expect(
        JSON.stringify(metadata)
          .toLowerCase()
          .match(/red|green|yellow|blue/)?.[0],
      ).toBe(word);
    }
    const website = await discoverService(origin, { ...source, kind: "website" });
    expect(website.findings[0]?.kind).toBe("website");
    expect(website).not.toHaveProperty("needsChoice");
  });

  it("says that the address answers 404, and offers what is elsewhere without filling it in", async () => {
    const { origin } = await serveFourServices();
    const { findings, needsChoice, notes } = await discoverService(`${origin}/v2/api?key=1`, source);
    expect(notes?.[0]).toMatch(new RegExp(`^${origin}/v2/api\\?key=1 answers 404\\.`));
    expect(needsChoice).toBe(true);
    expect(findings.map(({ kind }) => kind)).toEqual(["mcp", "a2a", "openapi", "website"]);
  });

  it("requires a choice even for a single finding elsewhere", async () => {
    const { origin } = await serveSite({ "/openapi.json": { openapi: "3.1.0", info: { title: "Yellow" } } });
    const discovery = await discoverService(`${origin}/agent`, source);
    expect(discovery).toMatchObject({ needsChoice: true, notes: [expect.stringContaining("answers 404")] });
    const expected = await discoverService(`${origin}/agent`, { ...source, kind: "openapi" });
    expect(expected).toMatchObject({ needsChoice: true });
  });

  it("requires no choice for the only service of a domain that has a website", async () => {
    const { origin } = await serveSite({
      "/": "<title>Blue</title>",
      [agentCard]: { name: "Green", url: "x", skills: [] },
    });
    const discovery = await discoverService(origin, source);
    expect(discovery.findings.map(({ kind }) => kind)).toEqual(["a2a", "website"]);
    expect(discovery).not.toHaveProperty("needsChoice");
  });

  it("reads an MCP server at the address even if another kind is expected", async () => {
    const { origin } = await serveFourServices();
    const { findings } = await discoverService(`${origin}/mcp`, { ...source, kind: "a2a" });
    expect(findings[0]).toMatchObject({ kind: "mcp", url: `${origin}/mcp` });
  });
});

describe("discoverService, with the address of a server card", () => {
  it("reads its server on another site, and suggests the DID and texts of that site", async () => {
    const { origin } = await serveFourServices();
    const card = { name: "com.example/red", remotes: [{ type: "streamable-http", url: `${origin}/mcp` }] };
    const raw = await serveSite({ "/weather/HEAD/server.json": card });
    const address = `${raw.origin.replace("localhost", "127.0.0.1")}/weather/HEAD/server.json`;
    const discovery = await discoverService(address, source);
    expect(discovery.findings[0]).toMatchObject({ kind: "mcp", url: `${origin}/mcp` });
    expect(discovery.dids[0]?.did).toBe(`did:web:${new URL(origin).host.replace(":", "%3A")}`);
    expect(discovery).not.toHaveProperty("needsChoice");
    expect(createProposal(discovery).suggestions).toContainEqual(
      expect.objectContaining({ value: "Blue Ltd", url: `${origin}/` }),
    );
  });
});

describe("discoverService, with a page of a repository or package", () => {
  it.each(["github.com/example/weather.git", "https://www.npmjs.com/package/@example/weather"])(
    "requests nothing for %s and explains which address to enter",
    async (input) => {
      const { findings, notes, looked } = await discoverService(input, source);
      expect([...findings, ...looked]).toEqual([]);
      expect(notes).toEqual([expect.stringContaining("Use the address at which the service runs.")]);
    },
  );
});
