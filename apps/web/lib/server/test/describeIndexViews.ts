import { didHash, hashDocument, toServerName, traitHash, type Version } from "@app-registry/sdk";
import { eventually } from "@app-registry/test-kit/eventually";
import { beforeAll, expect, it } from "vitest";
import { ardRoutes } from "../ard/ardRoutes.ts";
import { feedRoutes } from "../feeds/feedRoutes.ts";
import { mcpRegistryRoutes } from "../mcp/mcpRegistryRoutes.ts";
import { type ServerList, serverListSchema } from "../mcp/serverEntry.ts";
import { recordRoutes } from "../records/recordRoutes.ts";
import type { Registry } from "../registry.ts";
import { lookAlikes } from "./describeOperatorViews.ts";
import { expectOfficial, replayCopilot, replayVsCode } from "./mcpClients.ts";
import { type RegistryFixture, wallet } from "./registryFixture.ts";
import { unlimitedApi } from "./serve.ts";
import type { IndexedRegistry, TestIndex } from "./startIndex.ts";

const OFFICIAL = "io.modelcontextprotocol.registry/official";

const send = async (path: string, from: Registry, init: RequestInit = {}) => {
  const all = [recordRoutes, mcpRegistryRoutes, ardRoutes, feedRoutes];
  const routes = all.flatMap((create) => create(() => from));
  return unlimitedApi(routes).fetch(new Request(`http://localhost${path}`, init));
};

const metadata = (title: string, more: object = {}) => ({
  name: title,
  description: `What ${title} does.`,
  traits: ["api:mcp"],
  representativeQueries: [`Which pages of ${title} are new?`, `Print ${title} on a poster.`],
  endpoints: [{ name: "MCP", endpoint: `https://mcp.example/${encodeURIComponent(title)}`, ...more }],
});

/** Describes the routes that answer from an index, and what they answer without one. */
export function describeIndexViews(place: IndexedRegistry): void {
  let fixture: RegistryFixture;
  let index: TestIndex;
  let registry: Registry;
  /** DIDs by the title of their first version. */
  const dids: Record<string, string> = {};

  const ask = async (path: string, from = registry, body?: object) => {
    const posted = body && { method: "POST", body: JSON.stringify(body) };
    const response = await send(path, from, { headers: { "content-type": "application/json" }, ...posted });
    return { status: response.status, body: await response.json() };
  };
  const getName = (title: string) => toServerName(dids[title] ?? "");
  const toPath = (title: string) => `/v0.1/servers/${encodeURIComponent(getName(title))}/versions`;

  /** Publishes another version. Its JSON is stored on the chain unless `onChain` is false. */
  async function publish(did: string, version: Version, document: object, onChain = true): Promise<void> {
    const { canonical, dataHash } = hashDocument(JSON.stringify(document), 0);
    const content = {
      did,
      version,
      dataUrl: `${fixture.host.origin}/nowhere.json`,
      dataHash,
      dataHashAlgorithm: 0 as const,
      ...(onChain ? { metadataJson: canonical } : {}),
    };
    const { publisher } = fixture;
    const isFirst = version.minor === 0 && version.patch === 0;
    const hash = await (isFirst
      ? publisher.mint({ ...content, interfaces: 2, traitHashes: [traitHash("api:mcp")] })
      : publisher.updateAppControlled(content));
    await publisher.waitForReceipt({ hash });
  }

  beforeAll(async () => {
    ({ fixture, index } = place);
    for (const title of ["Weather Almanac", "Mother-of-Weather", "100% Sunny", "Tide_Tables", "Old Maps"]) {
      dids[title] = (await fixture.register({ metadata: metadata(title) })).did;
    }
    await fixture.register();
    const did = dids["Weather Almanac"] ?? "";
    await publish(did, { major: 1, minor: 0, patch: 1 }, metadata("Unread"), false);
    await publish(did, { major: 1, minor: 1, patch: 0 }, metadata("Weather Atlas"));
    const authentication = { apiKey: { in: "header", name: "X-Key" } };
    const transport = { type: "stdio" };
    const packages = [{ registryType: "npm", identifier: "globe", version: "2.0.0", transport }];
    const globe = { ...metadata("Weather Globe", { authentication }), packages };
    await publish(did, { major: 2, minor: 0, patch: 0 }, globe);
    const old = await fixture.publisher.updateStatus({ did: dids["Old Maps"] ?? "", major: 1, status: 1 });
    await fixture.publisher.waitForReceipt({ hash: old });
    registry = fixture.registryWith({ DATABASE_READ_URL: index.url });
    await index.untilCaughtUp();
  });

  const list = async (query: Record<string, string>): Promise<ServerList> => {
    const { status, body } = await ask(`/v0.1/servers?${new URLSearchParams(query)}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return serverListSchema.parse(body);
  };
  const listTitles = ({ servers }: ServerList) => servers.map(({ server }) => server.title);

  it("reports an unavailable index instead of showing an empty registry", async () => {
    for (const path of ["/v0.1/servers", `${toPath("Old Maps")}/latest`, "/feed.atom", "/api/export/apps"]) {
      const { status, body } = await ask(path, fixture.registry);
      expect([status, body.code], path).toEqual([503, "index-unavailable"]);
    }
  });

  it.each([
    ["/v0.1/servers?limit=101", "limit"],
    ["/v0.1/servers?version=1.0.999", "version"],
    ["/v0.1/servers?cursor=5", "cursor"],
    ["/v0.1/servers?search=a&cursor=q~Yg~W10", "cursor"],
    ["/v0.1/servers?include_deleted=1", "include_deleted"],
    ["/v0.1/servers/com.example%2F_/versions?include_deleted=yes", "include_deleted"],
    ["/feed.atom?limit=5", "limit"],
    ["/feed.atom?interface=9", "interface"],
    ["/api/suggest?q=%20", "q"],
    ["/api/suggest?q=a&q=b", "q"],
  ])("reports the invalid parameter of %s", async (path, parameter) => {
    expect(await ask(path)).toMatchObject({ status: 400, body: { problems: [{ parameter }] } });
  });

  it("adds the `error` of the MCP registry's API to the problem of a missing server or version", async () => {
    const names = ["nobody", "com.Example%2Fx/versions", "com.example%2Fx/other", "%E0%A4%A%2Fx/versions"];
    for (const path of [...names.map((name) => `/v0.1/servers/${name}`), `${toPath("Tide_Tables")}/9.9.9`]) {
      const body = { error: "Server not found", code: "not-found", status: 404 };
      expect(await ask(path), path).toMatchObject({ status: 404, body });
    }
  });

  it.each([
    ["wEaThEr", ["Mother-of-Weather", "Weather Atlas", "Weather Globe"]],
    ["what globe does", ["Weather Globe"]],
    ["sunny 100", ["100% Sunny"]],
    ["maps", ["Old Maps"]],
    ["\\", []],
    ["\0", []],
    ["almanac", []],
  ])("searches for %j as words of names and descriptions", async (search, expected) => {
    expect(listTitles(await list({ search })).toSorted()).toEqual(expected);
  });

  it("searches in names, and returns every match once across pages", async () => {
    const find = async (search: string) => {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ search, limit: "1", ...(cursor ? { cursor } : {}) });
        found.push(...page.servers.map(({ server }) => server.name));
        cursor = page.metadata.nextCursor;
      } while (cursor);
      return found.toSorted();
    };
    const all = (await list({})).servers.map(({ server }) => server.name);
    const titles = ["Weather Almanac", "Weather Almanac", ...Object.keys(dids).slice(1)];
    expect(all).toEqual(expect.arrayContaining(titles.map(getName)));
    expect(await find("LOCALHOST/_p")).toEqual(all.toSorted());
    expect(await find(getName("Tide_Tables").slice(4))).toEqual([getName("Tide_Tables")]);
  });

  it("treats an empty parameter as absent, as clients of other registries send it", async () => {
    expect(await list({ search: "", cursor: "", version: "", updated_since: "" })).toEqual(await list({}));
  });

  it("exports the rows of a table without those of hidden services, page by page", async () => {
    const hiddenDid = dids["Old Maps"] ?? "";
    const hidden = { reasonOf: () => undefined, dids: () => [hiddenDid] };
    const copy = async (table: string, from: Registry) => {
      const rows: { did: string }[] = [];
      for (let next: string | undefined = "?limit=2"; next !== undefined; ) {
        const response: Response = await send(`/api/export/${table}${next}`, from);
        expect([response.status, response.headers.get("content-type")]).toEqual([
          200,
          "application/x-ndjson",
        ]);
        const lines = (await response.text()).split("\n").filter(Boolean);
        rows.push(...lines.map((line) => JSON.parse(line) as { did: string }));
        next = /^<(\?.*)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
      }
      return rows.map(({ did }) => did);
    };
    for (const table of ["apps", "versions"]) {
      const all = await copy(table, registry);
      for (const did of Object.values(dids)) expect(all).toContain(did);
      expect(await copy(table, { ...registry, hidden })).toEqual(all.filter((did) => did !== hiddenDid));
    }
    for (const [path, status, code] of [
      ["app", 404, "not-found"],
      ["..%2Fsql", 404, "not-found"],
      ["apps?limit=0", 400, "invalid-parameter"],
      ["versions?cursor=eA", 400, "invalid-cursor"],
    ] as const) {
      expect(await ask(`/api/export/${path}`), path).toMatchObject({ status, body: { code } });
    }
  });

  it("ranks services first for their own words through ARD, and continues with a page token", async () => {
    const filter = { type: "application/mcp-server-card+json" };
    const find = async (text: string, more: object = {}) =>
      (await ask("/api/ard/search", registry, { query: { text, filter }, ...more })).body;
    for (const title of ["Tide_Tables", "Mother-of-Weather", "100% Sunny"]) {
      expect((await find(title)).results[0], title).toMatchObject({ displayName: title, score: 100 });
    }
    const text = "print a poster of the weather globe";
    expect((await find(text)).results[0]).toMatchObject({ displayName: "Weather Globe" });
    const found: string[] = [];
    for (let page = await find("poster", { pageSize: 2 }); ; ) {
      found.push(...page.results.map(({ displayName }: { displayName: string }) => displayName));
      if (page.pageToken === undefined) break;
      page = await find("poster", { pageSize: 2, pageToken: page.pageToken });
    }
    const active = ["100% Sunny", "Mother-of-Weather", "Tide_Tables", "Weather Atlas", "Weather Globe"];
    expect(found.toSorted()).toEqual(active);
    const { pageToken } = await find("poster", { pageSize: 2 });
    expect(await find("maps", { pageToken })).toMatchObject({ status: 400, errorCode: "INVALID_ARGUMENT" });
  });

  it("suggests names, publishers and traits while typing", async () => {
    const { status, body } = await ask("/api/suggest?q=weat");
    expect(status).toBe(200);
    expect(body.names.toSorted()).toEqual(["Mother-of-Weather", "Weather Atlas", "Weather Globe"]);
    expect((await ask("/api/suggest?q=api%20m")).body.traits).toEqual(["api:mcp"]);
    const nothing = { names: [], publishers: [], traits: [] };
    expect((await ask("/api/suggest?q=zzzz")).body).toEqual(nothing);
  });

  it("lists only the latest versions", async () => {
    const { servers } = await list({ version: "latest" });
    const titles = ["Weather Globe", "Mother-of-Weather", "100% Sunny", "Tide_Tables", "Old Maps"];
    expect(servers.map(({ server }) => server.title).toSorted()).toEqual(
      [...titles, ...lookAlikes].toSorted(),
    );
  });

  it("returns the next page of a search for its cursor alone, and refuses it for another search", async () => {
    const first = await list({ search: "weather", limit: "1" });
    const { nextCursor = "" } = first.metadata;
    expect(nextCursor).toMatch(/^[\w~-]+$/);
    const next = await list({ limit: "1", cursor: nextCursor });
    expect(await list({ search: "weather", limit: "1", cursor: nextCursor })).toEqual(next);
    expect(next.servers[0]?.server.title).toMatch(/Weather/);
    expect(next.servers).not.toEqual(first.servers);
    const refused = await ask(`/v0.1/servers?search=maps&cursor=${nextCursor}`);
    expect(refused).toMatchObject({ status: 400, body: { error: "Invalid parameter" } });
  });

  it("lists what changed since a time, oldest change first, and explains an invalid time", async () => {
    const all = await list({ updated_since: "2020-01-01T00:00:00Z" });
    expect(listTitles(all)).toContain("Old Maps");
    const times = all.servers.map(({ _meta }) => _meta[OFFICIAL].updatedAt);
    expect(times).toEqual(times.toSorted());
    expect((await list({ updated_since: times.at(-1) ?? "" })).servers.length).toBeLessThan(times.length);
    expect((await list({ updated_since: "2999-01-01T00:00:00+02:00" })).servers).toEqual([]);
    const { body } = await ask("/v0.1/servers?updated_since=2026-01-01");
    expect(body.problems).toEqual([
      { parameter: "updated_since", message: expect.stringContaining("such as 2026-01-31T12:00:00Z") },
    ]);
  });

  it("lists a hidden service as deleted, with the operator's reason, if a client requests deleted ones", async () => {
    const hiddenDid = dids.Tide_Tables ?? "";
    const reason = "It was taken down.";
    const hidden = {
      reasonOf: (did: string) => (did === hiddenDid ? reason : undefined),
      dids: () => [hiddenDid],
    };
    const hides = { ...registry, hidden };
    const name = getName("Tide_Tables");
    const listed = async (query: string) => {
      const { servers } = (await ask(`/v0.1/servers?${query}`, hides)).body as ServerList;
      return servers.find(({ server }) => server.name === name);
    };
    expect(await listed("")).toBeUndefined();
    expect((await ask(toPath("Tide_Tables"), hides)).status).toBe(451);
    const deleted = await listed("include_deleted=true");
    expect(deleted).toMatchObject({ _meta: { [OFFICIAL]: { status: "deleted", statusMessage: reason } } });
    expect(await listed("updated_since=2020-01-01T00:00:00Z")).toEqual(deleted);
    const latest = await ask(`${toPath("Tide_Tables")}/latest?include_deleted=true`, hides);
    expect(latest).toEqual({ status: 200, body: deleted });
  });

  it("answers the requests of VS Code and Copilot, preflights included", async () => {
    const client = (path: string, init?: RequestInit) => send(path, registry, init);
    const { all, found } = await replayVsCode(client, "weather");
    expect(new Set(all).size).toBe(5 + lookAlikes.length);
    expect(new Set(found).size).toBe(2);
    expect(await replayCopilot(client)).toBe(6 + lookAlikes.length);
    for (const path of [
      "/v0.1",
      "/v0.1/ping",
      "/v0.1/servers/x",
      "/v0.1/servers/com.example%2Fx/versions/latest",
    ]) {
      const response = await client(path);
      expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([404, "*"]);
      expectOfficial("Error", await response.json());
      const preflight = await client(path, { method: "OPTIONS" });
      expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
        200,
        "authorization, content-type, if-none-match, x-request-id",
      ]);
    }
  });

  it("lists and finds a service whose DID is too long for a name", async () => {
    const did = `${fixture.host.did()}-${"long".repeat(50)}`;
    fixture.host.name(did, wallet.address);
    await fixture.register({ did, metadata: metadata("Long") });
    await index.untilCaughtUp();
    const [entry] = (await list({ search: "long" })).servers;
    expect(entry?.server.name).toBe(`HASH.keccak256/${didHash(did)}`);
    expectOfficial("ServerResponse", entry);
    const path = `/v0.1/servers/${entry?.server.name}/versions/latest`;
    expect(await ask(path)).toEqual({ status: 200, body: entry });
    expect((await ask(path.replace(/.{60}\/versions/, `${"0".repeat(60)}/versions`))).status).toBe(404);
  });

  it("lists every published version of a server, newest first, and returns each of them", async () => {
    const { status, body } = await ask(toPath("Weather Almanac"));
    expect(status).toBe(200);
    const { servers, metadata: page } = serverListSchema.parse(body);
    const did = dids["Weather Almanac"];
    expect(
      servers.map(({ server: { version, title, remotes } }) => [version, title, remotes?.length]),
    ).toEqual([
      ["2.0.0", "Weather Globe", 1],
      ["1.1.0", "Weather Atlas", 1],
      ["1.0.1", did, undefined],
      ["1.0.0", "Weather Almanac", 1],
    ]);
    expect(page).toEqual({ count: 4 });
    expect(servers[0]?.server).toMatchObject({
      packages: [{ identifier: "globe" }],
      remotes: [{ headers: [{ name: "X-Key", isSecret: true }] }],
    });
    expect(servers[2]?.server).toMatchObject({ title: did, description: did });
    const official = servers.map(({ _meta }) => _meta[OFFICIAL]);
    expect(official.map(({ isLatest }) => isLatest)).toEqual([true, false, false, false]);
    const times = official.map(({ publishedAt }) => publishedAt);
    expect(times).toEqual(times.toSorted().toReversed());
    // The index may read a document in between, which changes its record.
    await eventually(async () => {
      const { servers: listed } = serverListSchema.parse((await ask(toPath("Weather Almanac"))).body);
      expect(listed).toHaveLength(4);
      for (const entry of listed) {
        const path = `${toPath("Weather Almanac")}/${entry.server.version}`;
        expect(await ask(path)).toEqual({ status: 200, body: entry });
      }
      expect((await ask(`${toPath("Weather Almanac")}/latest`)).body).toEqual(listed[0]);
      expect((await list({ search: "globe" })).servers[0]).toEqual(listed[0]);
    });
  });

  it("returns the highest Active version as latest, or the highest if none is Active", async () => {
    const latest = async (title: string) => (await ask(`${toPath(title)}/latest`)).body.server.version;
    const did = dids["Weather Almanac"] ?? "";
    const hash = await fixture.publisher.updateStatus({ did, major: 2, status: 1 });
    await fixture.publisher.waitForReceipt({ hash });
    await index.untilCaughtUp();
    expect(await latest("Weather Almanac")).toBe("1.1.0");
    expect(await latest("Old Maps")).toBe("1.0.0");
  });

  it("returns 304 for the ETag of its last response", async () => {
    for (const path of ["/v0.1/servers", toPath("Tide_Tables")]) {
      const etag = (await send(path, registry)).headers.get("etag") ?? "none";
      const again = await send(path, registry, { headers: { "if-none-match": etag } });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    }
  });
}
