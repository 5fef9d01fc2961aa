import { readFile } from "node:fs/promises";
import { type Allowlist, allowlistSchema, canonicalizeValue, getProvenSubject } from "@app-registry/sdk";
import { deadOrigin } from "@app-registry/test-kit/httpServer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFixture, createCliFixture, type Key } from "../../test/cliFixture.ts";
import { runCli } from "../../test/runCli.ts";

let fixture: CliFixture;
let key: Key;
let did: string;
let url: string;

async function publish(name: string) {
  const published = fixture.newDid(key);
  const endpoint = `http://${getProvenSubject(published).name}/mcp`;
  const endpoints = [{ name: "MCP", endpoint }];
  const file = await fixture.writeMetadata(name, { endpoints, traits: ["api:mcp"] });
  const { code, stderr } = await fixture.cli(
    ["publish", file, "--did", published, "--version", "1.0.0"],
    key,
  );
  expect(code, stderr).toBe(0);
  return { did: published, url: endpoint };
}

beforeAll(async () => {
  fixture = await createCliFixture();
  key = await fixture.newKey();
  ({ did, url } = await publish("Listed"));
});

afterAll(() => fixture.close());

/** Runs the command with the chain alone: no web service, and dataUrls of one that is not running. */
const allowlist = (...args: string[]) =>
  runCli(["allowlist", ...args], { environment: fixture.chainOnly, cwd: fixture.directory });

const write = (name: string, value: object) => fixture.write(name, JSON.stringify(value));

async function writeList(...args: string[]): Promise<Allowlist> {
  const { code, stdout, stderr } = await allowlist("--client", "claude-code", ...args);
  expect(code, stderr).toBe(0);
  return allowlistSchema.parse(JSON.parse(stdout));
}

describe("allowlist", () => {
  it("writes the list as canonical JSON, and only the client's file with --only file", async () => {
    const { stdout, stderr } = await allowlist("--client", "claude-code", "--did", did);
    const list = allowlistSchema.parse(JSON.parse(stdout));
    expect(stdout).toBe(`${canonicalizeValue(list)}\n`);
    expect(stderr).toBe("1 listed, 0 omitted\n");
    expect(list.entries).toEqual([{ did, version: "1.0.0", url }]);
    const only = await allowlist("--client", "claude-code", "--did", did, "--only", "file");
    expect(only.stdout).toBe(
      `{"allowManagedMcpServersOnly":true,"allowedMcpServers":[{"serverUrl":"${url}"}]}\n`,
    );
  });

  it("checks a list and the deployed file against the chain, without a web service", async () => {
    const list = await writeList("--did", did);
    const file = await write("list.json", list);
    const deployed = await write("managed-settings.json", { ...list.file, model: "opus" });
    const { code, stdout, stderr } = await allowlist("--check", file, "--deployed", deployed);
    expect(stdout, stderr).toBe("Every entry is valid.\n");
    expect(code).toBe(0);
    const filters = ["--client", "claude-code", "--did", did];
    expect((await allowlist("--check", file, ...filters)).code).toBe(0);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual(list);
  });

  // @threat services: An allowlist that is altered, lags, or allows more than was proven
  it("refuses an altered list with a sentence, and exits with 1", async () => {
    const list = await writeList("--did", did);
    const entries = [{ ...list.entries[0], url: "https://evil.example/mcp" }];
    const { code, stdout } = await allowlist("--check", await write("altered.json", { ...list, entries }));
    expect(stdout).toMatch("REFUSED  The list was changed after it was written. Write it again.\n");
    expect(stdout).toMatch(/REFUSED {2}did:web:localhost%3A\d+:cli-\d+ 1\.0\.0/);
    expect(code).toBe(1);
    const deployed = await write("deployed.json", {
      ...list.file,
      allowedMcpServers: [{ serverUrl: "https://*" }],
    });
    const checked = await write("fine.json", list);
    const other = await allowlist("--check", checked, "--deployed", deployed, "--json");
    const message = "The deployed file differs from the list. Deploy the list's file again.";
    expect(other.json()).toEqual({ ok: false, problems: [{ message, retryable: false }] });
    expect(other.code).toBe(1);
  });

  it("exits with 3 if the chain does not respond", async () => {
    const file = await write("unread.json", await writeList("--did", did));
    const environment = { ...fixture.chainOnly, RPC_URL: deadOrigin };
    for (const args of [
      ["--check", file],
      ["--client", "copilot"],
    ])
      expect((await runCli(["allowlist", ...args], { environment })).code).toBe(3);
  });

  it.each([
    [[], "The search is not valid: client: expected "],
    [["--check", "list.json", "--did", "did:web:a.example"], "filters with --check need --client."],
    [["--client", "copilot", "--deployed", "a.json"], "--deployed needs --check"],
    [["--client", "cursor"], "The search is not valid: client: expected "],
    [["--client", "copilot", "--facts", "trust"], "The search is not valid: facts: expected "],
    [["--check", "missing.json"], "The file missing.json can't be read."],
  ])("exits with 2 for %j", async (args, message) => {
    const { code, stderr } = await allowlist(...args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
