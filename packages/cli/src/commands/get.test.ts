import { HashAlgorithm, hashDocument } from "@app-registry/sdk";
import { deadOrigin, serveHttp } from "@app-registry/test-kit/httpServer";
import { runHere } from "@app-registry/test-kit/runHere";
import { registerApp } from "@app-registry/test-kit/testRegistry";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFixture, createCliFixture } from "../../test/cliFixture.ts";
import { runCli } from "../../test/runCli.ts";

let fixture: CliFixture;
let did: string;
let published: Record<string, unknown>;

beforeAll(async () => {
  fixture = await createCliFixture();
  const key = await fixture.newKey();
  did = fixture.newDid(key);
  const publish = async (name: string, version: string) => {
    const file = await fixture.writeMetadata(name);
    return fixture.cli(["publish", file, "--did", did, "--version", version, "--json"], key);
  };
  published = (await publish("Old", "1.0.0")).json();
  await publish("New", "1.1.0");
});

afterAll(() => fixture.close());

describe("get", () => {
  it("shows the record of the latest version and of an older one", async () => {
    const latest = await fixture.cli(["get", did, "--json"]);
    expect(latest.json()).toMatchObject({
      ok: true,
      record: {
        did,
        version: "1.1.0",
        latestVersion: "1.1.0",
        interfaces: 2,
        dataHashAlgorithm: "keccak256",
      },
    });
    const older = await fixture.cli(["get", `${did}@1.0`, "--json"]);
    expect(older.json()).toMatchObject({ record: { version: "1.0.0", dataHash: published.dataHash } });
    expect((await fixture.cli(["get", did])).stdout).toMatch(/^status +Active$/m);
  });

  it("writes the document, which matches the registered hash", async () => {
    const { stdout } = await fixture.cli(["get", `${did}@1.0.0`, "--metadata"]);
    expect(JSON.parse(stdout)).toMatchObject({ name: "Old" });
    expect(hashDocument(stdout, HashAlgorithm.keccak256).dataHash).toBe(published.dataHash);
  });

  it("exits with 1 for an unregistered service, and with 3 if the chain does not respond", async () => {
    const missing = await fixture.cli(["get", "did:web:nobody.example.com", "--json"]);
    expect(missing.json()).toMatchObject({ ok: false, error: { code: "AppNotFound", exitCode: 1 } });
    expect(missing.code).toBe(1);
    const environment = { ...fixture.chainOnly, RPC_URL: deadOrigin };
    const away = await runCli(["get", did, "--json"], { environment });
    expect(away.json()).toMatchObject({ error: { name: "RpcUnavailableError", retryable: true } });
    expect(away.code).toBe(3);
  });
});

describe("an unregistered DID", () => {
  const nobody = "did:web:nobody.example";
  const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  const dry = ["--dry-run", "--from", wallet];
  const onChain = () => [
    "--deployment",
    fixture.chainOnly.DEPLOYMENT_FILE ?? "",
    "--rpc-url",
    fixture.chainOnly.RPC_URL ?? "",
  ];

  it.each([
    ["get", nobody],
    ["get", `${nobody}@1.0.0`, "--metadata"],
    ["versions", nobody, "--major", "1"],
    ["status", nobody],
    ["status", nobody, "deprecated", "--major", "1", ...dry],
    ["attest", nobody, "--data-hash", "--major", "2", ...dry],
    ["reclaim", "open", nobody, "--major", "1", ...dry],
    ["reclaim", "finish", nobody, "--major", "0", ...dry],
    ["reclaim", "show", nobody, "--major", "1", "--claimant", wallet],
    ["challenge", "show", nobody, wallet, "--challenger", wallet],
  ])("is reported as unknown by %s %s %s %s", async (...args) => {
    const { code, json } = await runHere([...args, ...onChain()]);
    expect(json()).toMatchObject({
      ok: false,
      error: { code: "AppNotFound", message: `No service is registered for ${nobody}.`, retryable: false },
    });
    expect(code).toBe(1);
  });

  it("is reported as unknown by verify, and by update with a step or a major", async () => {
    const file = await fixture.writeMetadata("Unknown");
    const update = ["update", file, "--did", nobody, ...dry, ...onChain()];
    for (const more of [
      ["--version", "patch"],
      ["--major", "3"],
    ]) {
      const { code, json } = await runHere([...update, ...more]);
      expect(json()).toMatchObject({ error: { message: `No service is registered for ${nobody}.` } });
      expect(code).toBe(1);
    }
    const { stdout, code } = await runCli(["verify", nobody], { environment: fixture.chainOnly });
    expect(stdout).toMatch(/^FAIL +record +No service is registered for did:web:nobody\.example\.$/m);
    expect(code).toBe(1);
  });

  it.each([
    [["get"], "@7", "Major version 7", "Registered major versions: 1."],
    [["versions", "--major", "7"], "", "Major version 7", "Registered major versions: 1."],
    [["status", "--major", "0"], "", "Major version 0", "Registered major versions: 1."],
    [
      ["reclaim", "show", "--major", "2", "--claimant", wallet],
      "",
      "Major version 2",
      "Registered major versions: 1.",
    ],
    [["get"], "@1.9", "Version 1.9", "Registered versions: 1.0.0, 1.1.0."],
  ])(
    "has another error than a registered DID without the version of %j%s, which lists the versions",
    async (command, suffix, what, has) => {
      const { code, json } = await runHere([...command, `${did}${suffix}`, ...onChain()]);
      expect(json()).toMatchObject({
        error: { message: `${what} of ${did} is not registered.`, action: has, exitCode: 1 },
      });
      expect(code).toBe(1);
    },
  );
});

describe("search", () => {
  it("finds a service by trait through the web service and through the chain alone", async () => {
    const args = ["search", "--traits", "weather", "--interfaces", "api", "--json"];
    for (const result of [await fixture.cli(args), await runCli(args, { environment: fixture.chainOnly })]) {
      expect(result.json()).toMatchObject({
        ok: true,
        results: [{ did, version: "1.1.0" }],
        nextCursor: null,
      });
    }
    expect((await fixture.cli(["search"])).stdout).toContain("1 service");
  });

  it("reports an invalid filter", async () => {
    const { code, stderr } = await fixture.cli(["search", "--limit", "1000"]);
    expect(stderr).toContain("limit");
    expect(code).toBe(2);
  });

  it("returns all results with --all, and finds services under a DID", async () => {
    const key = await fixture.newKey();
    const second = fixture.newDid(key);
    const file = await fixture.writeMetadata("Second");
    await fixture.cli(["publish", file, "--did", second, "--version", "1.0.0"], key);
    const prefix = did.slice(0, did.lastIndexOf(":"));
    const search = async (...more: string[]) =>
      (await fixture.cli(["search", "--under", prefix, "--limit", "1", "--json", ...more])).json();
    expect(await search()).toMatchObject({ results: [{ did }], nextCursor: expect.any(String) });
    expect(await search("--all")).toMatchObject({ results: [{ did }, { did: second }], nextCursor: null });
    const none = await fixture.cli(["search", "--under", "did:web:nobody.example"]);
    expect(none.stdout).toContain("0 services");
  });

  it("shows the counts of the index", async () => {
    const hash = `0x${"a".repeat(64)}`;
    const page = {
      ...{ results: [], nextCursor: null, source: "index", block: 7, total: { count: 10_000, exact: false } },
      facets: {
        interfaces: [{ interface: 2, count: 3 }],
        apiTypes: [{ hash, trait: "api:mcp", count: 2 }],
        traits: [{ hash, count: 1 }],
      },
    };
    const APP_URL = await serveHttp((_, response) => response.end(JSON.stringify(page)));
    const { stdout } = await runCli(["search", "--facets"], {
      environment: { ...fixture.chainOnly, APP_URL },
    });
    expect(stdout).toContain("at least 10,000 services");
    expect(stdout).toMatch(/^interfaces +Api 3\nAPI types +api:mcp 2\ntraits +0xa+ 1$/m);
  });

  it("sends the requested facts, and rejects an unknown outcome", async () => {
    const page = { results: [], nextCursor: null, source: "index", block: 7, lag: 0 };
    const asked: (string | undefined)[] = [];
    const APP_URL = await serveHttp((request, response) => {
      asked.push(request.url);
      response.end(JSON.stringify(page));
    });
    const environment = { ...fixture.chainOnly, APP_URL };
    const facts = ["--control", "pass", "--content", "unknown", "--attested", "fail", "--drift", "same"];
    const { code, stdout } = await runCli(["search", ...facts, "--live", "answers"], { environment });
    expect([code, stdout]).toEqual([0, "0 services\n"]);
    expect(Object.fromEntries(new URL(asked.at(-1) ?? "", APP_URL).searchParams)).toEqual({
      ...{ control: "pass", content: "unknown", attested: "fail", live: "answers", drift: "same" },
    });
    const refused = await runCli(["search", "--live", "alive"], { environment });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("live")]);
  });

  it("exits with 3 for a text search without a web service, because the chain has no text index", async () => {
    expect((await runCli(["search", "weather"], { environment: fixture.chainOnly })).code).toBe(3);
  });
});

describe("versions", () => {
  it("lists every version, oldest first", async () => {
    const { stdout } = await fixture.cli(["versions", did]);
    expect(stdout).toMatch(/^1\.0\.0 {2,}20.*\n1\.1\.0 +current +20/);
  });
});

describe("a data URL with spaces", () => {
  const evil = `https://evil.example/ ${"x".repeat(60)} 1.0.0  current  2026-01-01T00:00:00Z`;

  it.each(["get", "versions"])(
    "is truncated by %s, so that it can't imitate another row",
    async (command) => {
      const { did: name } = await registerApp(fixture.registry, { dataUrl: evil });
      const { stdout } = await fixture.cli([command, name]);
      expect(stdout).toContain("https://evil.example/ xxx");
      expect(stdout).not.toContain("1.0.0 current");
    },
  );
});
