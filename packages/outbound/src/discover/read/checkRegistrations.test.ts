import { AppRegistryError, type JsonObject } from "@app-registry/sdk";
import { serveFiles } from "@app-registry/test-kit/httpServer";
import { describe, expect, it } from "vitest";
import { createGuardedFetch } from "../../fetch/guardedFetch.ts";
import { discoverService } from "../discoverService.ts";
import { checkRegistrations } from "./checkRegistrations.ts";

const FILE_URL = "https://agent.example.com/agent.json";
const REGISTRY = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
const entry = (agentId: unknown, chain: unknown = 8453) => ({
  agentId,
  agentRegistry: `eip155:${chain}:${REGISTRY}`,
});

/** Checks registrations against agents by id, and lists the requested ids. */
async function check(registrations: unknown, agents: Record<string, string> = {}, url = FILE_URL) {
  const requested: string[] = [];
  const notes = await checkRegistrations({ registrations } as JsonObject, url, {
    readAgentUri: async ({ chainId }, id) => {
      requested.push(`${chainId} ${id}`);
      return chainId === 8453 ? (agents[String(id)] ?? null) : undefined;
    },
  });
  return { notes, requested };
}

describe("checkRegistrations", () => {
  it("confirms an agent whose URI is the file's address", async () => {
    const confirmed = `Registered as agent 22 on eip155:8453, whose file is this one (registry ${REGISTRY}).`;
    expect((await check([entry(22)], { 22: FILE_URL })).notes).toEqual([confirmed]);
    expect((await check([entry("22")], { 22: "https://Agent.example.com:443/agent.json" })).notes).toEqual([
      confirmed,
    ]);
  });

  it.each([
    [
      "another path",
      "https://agent.example.com/other.json",
      /names another file: https:\/\/agent\.example\.com\/other/,
    ],
    ["another host", "https://evil.example/agent.json", /names another file: https:\/\/evil\.example/],
    ["a content address", "ipfs://bafy", /names another file: ipfs:\/\/bafy/],
    [
      "a text with control characters",
      "\u001b[31mhttps://x\u202e",
      /names another file: \\u\{1b\}\[31mhttps:\/\/x\\u\{202e\}/,
    ],
    ["a very long URI", `data:,${"x".repeat(300_000)}`, /^.{1,300}$/],
    ["no URI", "", /names no file/],
  ])("reports an agent with %s", async (_, uri, expected) => {
    const { notes } = await check([entry(22)], { 22: uri });
    expect(notes).toEqual([expect.stringMatching(expected)]);
    expect(notes[0]).toMatch(/^The file says that it's of agent 22 on eip155:8453, but that agent/);
  });

  it("reports an agent that is not registered", async () => {
    expect((await check([entry(22)])).notes).toEqual([
      `The file says that it's of agent 22 on eip155:8453, but no such agent is registered (registry ${REGISTRY}).`,
    ]);
  });

  it("says nothing about chains that can't be read", async () => {
    expect((await check([entry(22, 1), entry(23, 10)])).notes).toEqual([]);
  });

  it("says nothing if the chain doesn't respond, and asks once", async () => {
    let asked = 0;
    const file = { registrations: [entry(1), entry(2)] } as JsonObject;
    const notes = await checkRegistrations(file, FILE_URL, {
      readAgentUri: async () => {
        asked += 1;
        throw new AppRegistryError("The RPC doesn't respond.");
      },
    });
    expect([notes, asked]).toEqual([[], 1]);
  });

  it("reads at most five agents of ten thousand registrations, after at most a hundred chains", async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => entry(index));
    const { notes, requested } = await check(many);
    expect([notes.length, requested.length]).toEqual([5, 5]);
    const elsewhere = await check(many.map(({ agentId }) => entry(agentId, 1)));
    expect([elsewhere.notes, elsewhere.requested.length]).toEqual([[], 100]);
    const one = await check(Array(10_000).fill(entry(22)), { 22: FILE_URL });
    expect(one.notes).toHaveLength(1);
    expect(one.requested.length).toBeLessThanOrEqual(100);
  });

  it("asks about the largest id, and no larger one", async () => {
    const largest = (2n ** 256n - 1n).toString();
    const { requested } = await check([
      entry(largest),
      entry((2n ** 256n).toString()),
      entry(2 ** 53),
      entry(1.5),
    ]);
    expect(requested).toEqual([`8453 ${largest}`]);
  });

  it.each([
    [null],
    ["x"],
    [{ agentId: 22 }],
    [{ agentId: 22, agentRegistry: `eip155:8453:${REGISTRY}00` }],
    [{ agentId: 22, agentRegistry: `solana:8453:${REGISTRY}` }],
    [{ agentId: 22, agentRegistry: `eip155:08453:${REGISTRY}` }],
    [{ agentId: "0x16", agentRegistry: `eip155:8453:${REGISTRY}` }],
    [entry(-1)],
    [entry("")],
    [entry(null)],
  ])("ignores the registration %j", async (registration) => {
    expect(await check([registration])).toEqual({ notes: [], requested: [] });
  });
});

describe("discoverService, with readAgentUri", () => {
  it("puts the result among the finding's notes, also for files that name each other", async () => {
    const { origin, files } = await serveFiles();
    const file = { name: "Agent", services: [], registrations: [entry(1), entry(2)] };
    files.set("/a.json", JSON.stringify(file));
    files.set("/b.json", JSON.stringify(file));
    const { findings } = await discoverService(`${origin}/a.json`, {
      guardedFetch: createGuardedFetch({ allowLoopback: true }),
      readAgentUri: async (_, id) => `${origin}/${id === 1n ? "a" : "b"}.json`,
    });
    expect(findings).toMatchObject([
      {
        notes: [
          expect.stringContaining("whose file is this one"),
          expect.stringContaining("names another file"),
        ],
      },
    ]);
  });
});
