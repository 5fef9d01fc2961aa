import { PROBER } from "@app-registry/outbound";
import type { ServiceProbe } from "@app-registry/sdk";
import { startMcpServer } from "@app-registry/test-kit/mcpServer";
import { describe, expect, it, onTestFinished } from "vitest";
import { asked, settings, useWorker } from "../test/harness/worker.ts";

const DAY = 86_400;
const tool = { name: "read", description: "Reads.", inputSchema: { type: "object" } };

describe("a prober, attacked by a stranger", () => {
  const used = useWorker({ probes: true });
  const { query } = used;
  const register = (tokenId: number, metadata: Record<string, unknown>, changes: object = {}) =>
    used.index.mint({
      ...{ tokenId, dataUrl: `https://host-${tokenId}.test/a.json`, onChain: true, metadata },
      ...changes,
    });
  const getAnswer = async (tokenId: number) =>
    ((await used.index.probe(tokenId))?.answer ?? {}) as Partial<ServiceProbe>;
  const listEvents = (tokenId: number) =>
    query(
      `select event.key as kind, event.value ->> 'detail' as detail from $o.probe_day, jsonb_each(events) event
      where token_id = $1::numeric order by event.value -> 'at', event.key`,
      [tokenId],
    );

  it.each([
    ["a NUL", "a\u0000b"],
    ["half a character", "a\ud800b"],
    ["a character that a cut halves", `${"x".repeat(390)}${"😀".repeat(20)}`],
    ["another character that a cut halves", `${"x".repeat(391)}${"😀".repeat(20)}`],
    ["characters that can't be seen", `a\u202eb\u{e0045}`],
    ["a name without an end", "n".repeat(200_000)],
  ])("shortens the stored text of a tool with %s in its name", async (_what, name) => {
    const server = await startMcpServer({ tools: [tool] });
    onTestFinished(() => server.close());
    await register(1, { name: "Reader", endpoints: [{ name: "MCP", endpoint: server.url, tools: [tool] }] });
    await used.pass(2);
    server.offered.tools = [tool, { ...tool, name, description: name }];
    server.offered.instructions = name;
    used.clock += 2 * DAY;
    await used.pass(4);
    expect(await used.index.probe(1)).toMatchObject({ outcome: "answers", drift: "changed" });
    const [event] = await listEvents(1);
    expect(String(event?.detail).length).toBeLessThan(1_000);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
    expect(event?.detail).not.toMatch(/[\u0000-\u001f\u202e\u{e0045}]/u);
    expect(JSON.stringify(await getAnswer(1)).length).toBeLessThan(65_536);
  });

  // @threat documents: A response that stalls the prober or fills its database, or a probe that counts twice
  it("stores a short result for a list of ten thousand tools", async () => {
    const server = await startMcpServer({ tools: [tool] });
    onTestFinished(() => server.close());
    await register(1, { name: "Reader", endpoints: [{ name: "MCP", endpoint: server.url, tools: [tool] }] });
    server.offered.tools = Array.from({ length: 10_000 }, (_, place) => ({ ...tool, name: `t${place}` }));
    await used.pass(2);
    expect(await used.index.probe(1)).toMatchObject({ drift: "changed" });
    expect(JSON.stringify(await getAnswer(1)).length).toBeLessThan(65_536);
  });

  // @threat documents: Probing one victim again and again, or against robots.txt or Retry-After
  it("counts requests for dataUrls as probes of their host", async () => {
    const victim = await used.newHost();
    for (let tokenId = 1; tokenId <= PROBER.perUnprovenHost + 5; tokenId++) {
      const metadata = { name: `x${tokenId}`, platforms: { web: { launchUrl: "https://host.invalid/" } } };
      await register(tokenId, metadata, {
        onChain: false,
        dataUrl: victim.put(`/${tokenId}.json`, { other: tokenId }),
      });
    }
    await used.pass(200);
    const probes = asked(victim).filter(({ userAgent }) => userAgent?.startsWith(PROBER.token));
    expect(probes.length).toBeLessThanOrEqual(PROBER.perUnprovenHost);
  });

  it("does not delay other hosts of a service if one of its endpoints is down", async () => {
    const [victim, dead] = [await used.website(), await used.newHost()];
    await dead.down();
    for (let tokenId = 1; tokenId <= 3; tokenId++) {
      const endpoints = [
        { name: "A", endpoint: `${victim.origin}/` },
        { name: "B", endpoint: `${dead.origin}/` },
      ];
      await register(tokenId, { name: "x", endpoints });
    }
    await used.pass(20);
    used.clock += settings.retries.first;
    await used.pass(20);
    expect(await used.index.probe(1)).toMatchObject({ outcome: "unreachable" });
    const [line] = await query("select failures from $o.queue_host where host = $1", [
      new URL(victim.origin).host,
    ]);
    expect(line?.failures ?? 0).toBe(0);
  });

  it("does not report a changed endpoint as unchanged when it goes down", async () => {
    const [honest, rogue] = [await startMcpServer({ tools: [tool] }), await startMcpServer({ tools: [] })];
    onTestFinished(() => honest.close());
    const endpoints = [honest, rogue].map(({ url }, place) => ({
      name: `MCP ${place}`,
      endpoint: url,
      tools: [tool],
    }));
    await register(1, { name: "Two", endpoints });
    await used.pass(4);
    await rogue.close();
    used.clock += 2 * DAY;
    await used.pass(4);
    used.clock += settings.retries.first;
    await used.pass(4);
    expect((await used.index.probe(1))?.drift).not.toBe("same");
    expect((await listEvents(1)).map(({ kind }) => kind)).toEqual(["changed", "stopped"]);
  });

  it.each([
    [
      "endpoints of other types",
      {
        endpoints: [
          { name: 5, endpoint: 7 },
          { name: null, endpoint: {} },
          { endpoint: ["a"] },
          { name: "MCP", endpoint: "nope", tools: 5 },
          5,
          null,
          { name: "GraphQL", endpoint: "https://" },
        ],
      },
    ],
    [
      "a schemaUrl of another type",
      { endpoints: [{ name: "API", endpoint: "https://host.invalid", schemaUrl: { a: 1 } }] },
    ],
    ["NULs", { endpoints: [{ name: "a\u0000b", endpoint: "https://host.invalid/\u0000" }] }],
    [
      "one of a million characters",
      { endpoints: [{ name: "n".repeat(300_000), endpoint: `https://host.invalid/${"u".repeat(300_000)}` }] },
    ],
    ["platforms of other types", { platforms: { web: 5 }, external_url: { a: 1 } }],
  ])("stores a short result for a document with %s", async (_what, metadata) => {
    await register(1, { name: "x", ...metadata });
    await used.pass(4);
    used.clock += settings.retries.first;
    await used.pass(4);
    expect((await used.index.probe(1))?.outcome).not.toBeNull();
    expect(JSON.stringify(await getAnswer(1)).length).toBeLessThan(65_536);
  });
});
