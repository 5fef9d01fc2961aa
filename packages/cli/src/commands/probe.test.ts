import { endpointName } from "@app-registry/sdk";
import { startEverythingServer } from "@app-registry/test-kit/everythingServer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFixture, createCliFixture, type Key } from "../../test/cliFixture.ts";

let fixture: CliFixture;
let key: Key;
let server: Awaited<ReturnType<typeof startEverythingServer>>;

beforeAll(async () => {
  [fixture, server] = await Promise.all([createCliFixture(), startEverythingServer()]);
  key = await fixture.newKey();
});

afterAll(async () => {
  await Promise.all([fixture.close(), server.stop()]);
});

/** Publishes a service with the server as its MCP endpoint, as `init` describes it. `change` modifies the metadata. */
async function publish(change: (entry: { tools: { description?: string }[] }) => void = () => undefined) {
  const did = fixture.newDid(key);
  const { stdout } = await fixture.cli(["init", server.url, "--name", did, "--out", "-"]);
  const metadata = JSON.parse(stdout);
  change(metadata.endpoints.find(({ name }: { name: string }) => name === endpointName("api:mcp")));
  const file = await fixture.write(`${encodeURIComponent(did)}.json`, JSON.stringify(metadata));
  expect((await fixture.cli(["publish", file, "--did", did, "--version", "1.0.0"], key)).code).toBe(0);
  return did;
}

describe("probe", () => {
  it("gets all elements of the server from init", async () => {
    const file = await fixture.write("everything.json", "");
    const { stdout } = await fixture.cli(["init", server.url, "--out", file, "--force"]);
    expect(stdout).toContain("13 tools, 7 resources, 2 resource templates, 4 prompts");
  });

  it("exits with 0 if a service responds and matches the registered version", async () => {
    const did = await publish();
    const { code, stdout } = await fixture.cli(["probe", did]);
    expect(stdout).toMatch(/^answers {2}MCP: It speaks MCP 20\d\d-\d\d-\d\d\. \(\d+ ms\)$/m);
    expect(stdout).toContain("Matches the registered version.");
    expect(code).toBe(0);
  });

  it("exits with 1 and shows the difference if a tool differs from the registered version", async () => {
    const did = await publish(({ tools }) => {
      if (tools[0]) tools[0].description = "What was reviewed.";
    });
    const { code, stdout } = await fixture.cli(["probe", did]);
    expect(stdout).toMatch(/^ {2}changed tool \S+$/m);
    expect(stdout).toContain('    - description: "What was reviewed."');
    expect(stdout).toMatch(/^ {4}\+ description: "/m);
    expect(code).toBe(1);
  });

  it("writes one JSON object", async () => {
    const did = await publish();
    const { json } = await fixture.cli(["probe", did, "--json"]);
    expect(json()).toMatchObject({
      ...{ ok: true, did, version: "1.0.0", outcome: "answers", drift: "same" },
      endpoints: [{ name: "MCP", protocol: "mcp", comparison: { outcome: "same", changes: [] } }],
    });
  });

  // @threat documents: A server whose tools no longer match its record, or another spelling of a blocked one
  it("is the sixth fact of verify --live, with the same reason", async () => {
    const [good, changed] = [await publish(), await publish(({ tools }) => void tools.pop())];
    const six = await fixture.cli(["verify", good, "--live"]);
    expect(six.stdout).toMatch(/^pass +live +MCP: It speaks MCP 20\d\d-\d\d-\d\d\. Checked on /m);
    const { stdout } = await fixture.cli(["verify", changed, "--live"]);
    expect(stdout).toMatch(
      /^FAIL +live +It responds, but differs from the registered version: tool \S+ added\.$/m,
    );
    expect((await fixture.cli(["verify", good])).stdout).not.toMatch(/^\w+ +live /m);
  });

  it("exits with 1 for an unregistered service", async () => {
    expect((await fixture.cli(["probe", "did:web:nobody.example.com"])).code).toBe(1);
  });
});
