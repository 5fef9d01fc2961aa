import { getProvenSubject, verificationReportSchema } from "@app-registry/sdk";
import { deadOrigin, serveHttp } from "@app-registry/test-kit/httpServer";
import { runHere } from "@app-registry/test-kit/runHere";
import { endpointsUnder } from "@app-registry/test-kit/testRegistry";
import { twinRegistries } from "@app-registry/test-kit/twinRegistry";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type CliFixture, createCliFixture } from "../../test/cliFixture.ts";
import { runCli } from "../../test/runCli.ts";

let fixture: CliFixture;
let did: string;

beforeAll(async () => {
  fixture = await createCliFixture();
  did = await fixture.publishNew("Verified", endpointsUnder);
});

afterAll(() => fixture.close());

describe("verify", () => {
  it("exits with 0 if every fact passes, and prints one line for each", async () => {
    const { code, stdout } = await fixture.cli(["verify", did]);
    expect(stdout.match(/^pass /gm)).toHaveLength(5);
    expect(stdout).toContain("\n✓✓✓✓✓– 5 pass, live isn't checked\n");
    expect(stdout).toMatch(`Controlled by an account at ${getProvenSubject(did).name}\n`);
    // Piped output has no colors.
    expect(stdout).not.toContain("\u001b");
    expect(code).toBe(0);
  });

  it.each(["@1", "@1.0", "@1.0.0", "/v/1.0.0"])("accepts the version as %s", async (suffix) => {
    const args = ["verify", `${did}${suffix}`, "--registry", fixture.service.baseUrl];
    expect((await runHere(args)).json().version).toBe("1.0.0");
  });

  it("writes the report as one JSON object", async () => {
    const { json, stderr } = await fixture.cli(["verify", did, "--json"]);
    const { ok, ...report } = json();
    expect(ok).toBe(true);
    expect(verificationReportSchema.parse(report).did).toBe(did);
    expect(stderr).toBe("");
  });

  it("exits with 3 if the chain does not respond, and reports no fact as failed", async () => {
    const environment = { ...fixture.chainOnly, RPC_URL: deadOrigin };
    const { code, json } = await runCli(["verify", did, "--json"], { environment });
    const outcomes = Object.values(json().facts as Record<string, { outcome: string }>);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(5).fill("unknown"));
    expect(json().ok).toBe(false);
    expect(code).toBe(3);
  });

  it("exits with 3 after the time limit if the chain never responds", async () => {
    const RPC_URL = await serveHttp(() => undefined);
    const environment = { ...fixture.chainOnly, RPC_URL };
    expect((await runCli(["verify", did, "--timeout", "1"], { environment })).code).toBe(3);
  });
});

describe("a command whose RPC endpoint serves another chain, with the same contracts at the same addresses", () => {
  const dryRun = ["--dry-run", "--from", "0x00000000000000000000000000000000000000AA"];

  it.each([
    ["verify", []],
    ["unblock", ["0x00000000000000000000000000000000000000bb", ...dryRun]],
    // @threat services: A lying RPC endpoint, or one of another chain
  ])("%s exits with 2 and reports both chain IDs", async (command, options) => {
    const { here, did: thereOnly } = await twinRegistries();
    const file = await fixture.write("twin.json", JSON.stringify(here.deployment));
    const registry = ["--deployment", file, "--rpc-url", inject("otherRpcUrl")];
    const { code, json } = await runHere([command, thereOnly, ...options, ...registry]);
    expect(json()).toMatchObject({
      ok: false,
      error: {
        name: "WrongChainError",
        message: "The RPC endpoint serves chain 31338; the registry is on chain 31337.",
        action: "Use an RPC endpoint for chain 31337, or a deployment on chain 31338.",
      },
    });
    expect(code).toBe(2);
  });
});

// @threat services: An address, domain or account that passes for another service's
describe("verify, with an address", () => {
  const address = "https://address.example/mcp";
  const other = `${address}/other`;
  let named: string;

  beforeAll(async () => {
    named = await fixture.publishNew("Named", () => ({ endpoints: [{ name: "REST", endpoint: address }] }));
  });

  it.each(["verify", "get", "versions"])("%s finds the service", async (command) => {
    const { json } = await fixture.cli([command, address.toUpperCase().replace("/MCP", "/mcp/"), "--json"]);
    const { did: found, record } = json() as { did?: string; record?: { did: string } };
    expect(found ?? record?.did).toBe(named);
  });

  it("exits with 1 and the address, without another subject, if no service has it", async () => {
    const { code, stderr } = await fixture.cli(["verify", other]);
    expect(stderr).toContain(`No registered service has "${other}".`);
    expect(stderr).not.toContain("did:");
    expect(code).toBe(1);
  });

  it("refuses a web service that names a service without the address", async () => {
    fixture.service.lookupDid = did;
    const { code, stderr } = await fixture.cli(["verify", address]);
    fixture.service.lookupDid = undefined;
    expect(stderr).toContain("its document doesn't list it");
    expect(code).toBe(1);
  });

  it("asks for a web service if only the chain is known", async () => {
    const { code, stderr } = await runCli(["verify", address], { environment: fixture.chainOnly });
    expect(stderr).toContain("requires the registry's web service");
    expect(code).toBe(2);
  });
});
