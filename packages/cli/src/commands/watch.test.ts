import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { endpointsUnder } from "@app-registry/test-kit/testRegistry";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFixture, createCliFixture, type Key } from "../../test/cliFixture.ts";
import { spawnCli } from "../../test/runCli.ts";

let fixture: CliFixture;

beforeAll(async () => {
  fixture = await createCliFixture();
});

afterAll(() => fixture.close());

const tools = (did: string, ...names: string[]) => ({
  traits: ["api:mcp"],
  endpoints: [
    {
      ...endpointsUnder(did).endpoints[0],
      name: "MCP",
      tools: names.map((name) => ({ name, inputSchema: { type: "object" } })),
    },
  ],
});

async function registerService() {
  const key = await fixture.newKey();
  const did = fixture.newDid(key);
  const publish = async (by: Key, ...names: string[]) => {
    const file = await fixture.writeMetadata("Watched", tools(did, ...names));
    await fixture.cli(["publish", file, "--did", did, "--version", "next", "--yes", "--json"], by);
  };
  await publish(key, "echo", "sum");
  return { did, key, publish };
}

const watch = (name: string, ...args: string[]) =>
  fixture.cli(["watch", ...args, "--state", join(fixture.directory, name)]);

describe("watch", () => {
  it("prints one line for a changed service, and nothing for the others", async () => {
    const [one, two] = [await registerService(), await registerService()];
    const both = [one.did, two.did, "--no-live"];
    const first = await watch("both.json", ...both);
    expect(first).toMatchObject({
      code: 0,
      stdout: `${one.did}: version 1.0.0\n${two.did}: version 1.0.0\n`,
    });
    expect(await watch("both.json", ...both)).toMatchObject({ code: 0, stdout: "", stderr: "" });

    await one.publish(one.key, "echo", "max");
    await fixture.cli(["status", two.did, "deprecated", "--yes"], two.key);
    const [moved = "", deprecated = "", ...others] = (await watch("both.json", ...both)).stdout.split("\n");
    expect(moved).toBe(`${one.did}: version 2.0.0 after 1.0.0 (tool sum removed, tool max added)`);
    expect(deprecated).toMatch(`${two.did}: record fails: `);
    expect(others).toEqual([""]);
    expect(await watch("both.json", ...both)).toMatchObject({ code: 0, stdout: "" });
  });

  it("keeps the last state if the chain does not respond, and warns on standard error", async () => {
    const { did } = await registerService();
    await watch("away.json", did, "--no-live");
    const before = await readFile(join(fixture.directory, "away.json"), "utf8");
    const { deployment } = fixture.registry;
    const offline = await fixture.write("offline.json", JSON.stringify(deployment));
    const away = await watch(
      "away.json",
      ...[did, "--no-live", "--deployment", offline, "--rpc-url", "http://127.0.0.1:9", "--timeout", "2"],
    );
    expect(away).toMatchObject({ code: 3, stdout: "" });
    expect(await readFile(join(fixture.directory, "away.json"), "utf8")).toBe(before);
  });

  it("prints a line again that could not be written, and keeps what runs at the same time write", async () => {
    const [one, two] = [await registerService(), await registerService()];
    const environment = { APP_URL: fixture.service.baseUrl };
    const args = ["--no-live", "--state", join(fixture.directory, "written.json")];
    const lost = await spawnCli(["watch", one.did, ...args], { environment, output: "/dev/full" });
    expect(lost.code).toBe(1);
    expect((await readdir(fixture.directory)).filter((name) => name.includes("written.json"))).toEqual([]);
    const runs = await Promise.all(
      [one, two].map(({ did }) => spawnCli(["watch", did, ...args], { environment })),
    );
    expect(runs.map(({ stdout }) => stdout)).toEqual([one, two].map(({ did }) => `${did}: version 1.0.0\n`));
    expect(await watch("written.json", one.did, two.did, "--no-live")).toMatchObject({ code: 0, stdout: "" });
  });

  it("prints another reason of a failing live check, and quotes names of tools", async () => {
    const { did, key, publish } = await registerService();
    expect((await watch("reason.json", did)).stdout).toMatch(/; live fails: MCP: /);
    expect((await watch("reason.json", did)).stdout).toBe("");
    const file = join(fixture.directory, "reason.json");
    const state = JSON.parse(await readFile(file, "utf8"));
    await fixture.write("reason.json", JSON.stringify({ [did]: { ...state[did], liveReason: "MCP: 503." } }));
    expect((await watch("reason.json", did)).stdout).toMatch(`${did}: live fails: MCP: `);
    await publish(key, "echo", "sum", "b   ; record fails: revoked");
    expect((await watch("reason.json", did, "--no-live")).stdout).toBe(
      `${did}: version 1.1.0 after 1.0.0 (tool "b ; record fails: revoked" added)\n`,
    );
  });

  it("names a DID without a record until it is registered", async () => {
    const did = fixture.newDid(await fixture.newKey());
    expect((await watch("none.json", did)).stdout).toMatch(`${did}: not registered`);
  });

  it("refuses a file that is not its state, and changes nothing in it", async () => {
    const file = await fixture.write("other.json", '{"name":"x"}');
    expect(await watch("other.json", "did:web:example.com")).toMatchObject({ code: 2 });
    expect(await readFile(file, "utf8")).toBe('{"name":"x"}');
  });

  // The last test of this file, because it leaves the registry without a trusted issuer.
  it("reports lost control and an unreachable service with their reasons, and keeps other services", async () => {
    const { did } = await registerService();
    await watch("kept.json", (await registerService()).did, "--no-live");
    const { stdout } = await watch("kept.json", did);
    expect(stdout).toMatch(/: version 1\.0\.0; live fails: MCP: /);
    await fixture.registry.distrustIssuer(fixture.service.issuerAccount.address);
    expect((await watch("kept.json", did, "--json")).json()).toMatchObject({
      services: [
        {
          ...{ did, before: "1.0.0", version: "1.0.0", changes: [] },
          facts: [
            { name: "control", outcome: "fail" },
            { name: "attested", outcome: "fail" },
          ],
          line: expect.stringMatching(/: control fails: [^;]*; attested fails: [^;]*$/),
        },
      ],
    });
    const state = JSON.parse(await readFile(join(fixture.directory, "kept.json"), "utf8"));
    expect(Object.keys(state)).toHaveLength(2);
  });
});
