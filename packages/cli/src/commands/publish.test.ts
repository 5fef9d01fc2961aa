import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { appPath } from "@app-registry/sdk";
import { type EverythingServer, startEverythingServer } from "@app-registry/test-kit/everythingServer";
import { endpointsUnder, restMetadata } from "@app-registry/test-kit/testRegistry";
import { formatEther } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFixture, createCliFixture } from "../../test/cliFixture.ts";
import { runCli, spawnCli } from "../../test/runCli.ts";

let fixture: CliFixture;

beforeAll(async () => {
  fixture = await createCliFixture();
});

afterAll(() => fixture.close());

const publish = (file: string, did: string, version: string, ...more: string[]) => [
  "publish",
  file,
  "--did",
  did,
  "--version",
  version,
  "--json",
  ...more,
];

describe("publish", () => {
  it("proves control, registers the version and has its document attested", async () => {
    const key = await fixture.newKey();
    const did = fixture.newDid(key);
    const file = await fixture.writeMetadata("First", endpointsUnder(did));
    const environment = { APP_URL: fixture.service.baseUrl, PRIVATE_KEY: key.key };
    const { code, json, stderr } = await spawnCli(publish(file, did, "1.0.0"), { environment });
    expect(stderr).toBe("");
    expect(json()).toEqual({
      ok: true,
      status: "published",
      action: "mint",
      did,
      version: "1.0.0",
      dataHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      dataUrl: expect.stringContaining(`${fixture.service.baseUrl}/api/data-url/`),
      interfaces: 2,
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      blockNumber: expect.stringMatching(/^\d+$/),
      gasUsed: expect.stringMatching(/^\d+$/),
      attested: true,
      page: new URL(appPath(did, "1.0.0"), fixture.service.baseUrl).href,
    });
    expect(code).toBe(0);
    const verified = await fixture.cli(["verify", did]);
    expect(verified.stdout).not.toMatch(/FAIL|unknown/);
    expect(verified.code).toBe(0);
  });

  it("sends nothing if the version is already registered with the same content", async () => {
    const key = await fixture.newKey();
    const did = fixture.newDid(key);
    const file = await fixture.writeMetadata("Repeated");
    await fixture.cli(publish(file, did, "1.0.0"), key);
    const nonce = await fixture.nonce(key);
    const again = await fixture.cli(publish(file, did, "1.0.0"), key);
    expect(again.json()).toMatchObject({ ok: true, status: "already-published", version: "1.0.0" });
    expect(again.code).toBe(0);
    expect(await fixture.nonce(key)).toBe(nonce);
  });

  it("rejects the same version with different content", async () => {
    const key = await fixture.newKey();
    const did = fixture.newDid(key);
    await fixture.cli(publish(await fixture.writeMetadata("One"), did, "1.0.0"), key);
    const other = await fixture.cli(publish(await fixture.writeMetadata("Other"), did, "1.0.0"), key);
    expect(other.json()).toMatchObject({
      ok: false,
      error: { name: "PublicationConflictError", code: "same-version", exitCode: 1, retryable: false },
    });
    expect(other.code).toBe(1);
  });

  it("publishes a higher version as an update and a new major version as a new record", async () => {
    const key = await fixture.newKey();
    const did = fixture.newDid(key);
    const [first, second, third] = await Promise.all(
      ["A", "B", "C"].map((name) => fixture.writeMetadata(name)),
    );
    await fixture.cli(publish(first ?? "", did, "1.0.0"), key);
    const update = await fixture.cli(publish(second ?? "", did, "1.1.0"), key);
    expect(update.json()).toMatchObject({ action: "update", attested: true });
    expect((await fixture.cli(publish(third ?? "", did, "2.0.0"), key)).json()).toMatchObject({
      action: "mint",
    });
    expect((await fixture.cli(publish(first ?? "", did, "1.0.0"), key)).json()).toMatchObject({
      status: "already-published",
    });
    const skipped = await fixture.cli(publish(third ?? "", did, "4.0.0"), key);
    expect(skipped.json()).toMatchObject({ error: { code: "version" } });
    expect(skipped.stdout).toContain("3.0.0");
    const versions = await fixture.cli(["versions", did, "--json"]);
    expect((versions.json().versions as { version: string }[]).map(({ version }) => version)).toEqual([
      "1.0.0",
      "1.1.0",
      "2.0.0",
    ]);
  });

  it("shows the document to publish if the account is not in the DID document", async () => {
    const [named, other] = await Promise.all([fixture.newKey(), fixture.newKey()]);
    const did = fixture.newDid(named);
    const file = await fixture.writeMetadata("Foreign");
    const { code, json, stdout } = await fixture.cli(publish(file, did, "1.0.0"), other);
    expect(json()).toMatchObject({
      error: {
        name: "ControlNotAttestedError",
        code: "wallet-not-in-did-document",
        publish: { url: expect.any(String) },
      },
    });
    expect(stdout).toContain(other.address);
    expect(code).toBe(1);
    expect(await fixture.nonce(other)).toBe(0);
  });

  it("requires a data URL and an account that controls the DID without a web service", async () => {
    const key = await fixture.newKey();
    const did = fixture.newDid(key);
    const file = await fixture.writeMetadata("Offline");
    const environment = { ...fixture.chainOnly, PRIVATE_KEY: key.key };
    const nowhere = await runCli(publish(file, did, "1.0.0"), { environment });
    expect(nowhere.json()).toMatchObject({ error: { code: "data-url" } });
    const dataUrl = ["--data-url", "https://example.com/offline.json"];
    const unproven = await runCli(publish(file, did, "1.0.0", ...dataUrl), { environment });
    expect(unproven.json()).toMatchObject({ error: { name: "ContractRevertError", exitCode: 1 } });
    await fixture.registry.attest(did, key.address);
    const done = await runCli(publish(file, did, "1.0.0", ...dataUrl, "--no-on-chain-json"), { environment });
    expect(done.json()).toMatchObject({ status: "published", dataUrl: dataUrl[1], attested: false });
    expect(done.code).toBe(0);
  });

  it("registers a major version below the latest one only with the option for it", async () => {
    const key = await fixture.newKey();
    const did = fixture.newDid(key);
    const file = await fixture.writeMetadata("Majors");
    await fixture.cli(publish(file, did, "2.0.0"), key);
    const nonce = await fixture.nonce(key);
    for (const more of [[], ["--yes"], ["--dry-run"]]) {
      const lower = await fixture.cli(publish(file, did, "1.4.0", ...more), key);
      expect(lower.json()).toMatchObject({
        ok: false,
        error: {
          name: "PublicationConflictError",
          code: "new-major",
          message: expect.stringContaining(
            `Major version 1 of ${did} is not registered and is lower than the latest, 2`,
          ),
          action: expect.stringContaining("--new-major"),
          retryable: false,
        },
      });
      expect(lower.code).toBe(1);
    }
    expect(await fixture.nonce(key)).toBe(nonce);
    const allowed = await fixture.cli(publish(file, did, "1.4.0", "--new-major"), key);
    expect(allowed.json()).toMatchObject({ status: "published", action: "mint", version: "1.4.0" });
    // An update of it is published normally.
    const other = await fixture.writeMetadata("Majors 2");
    expect((await fixture.cli(publish(other, did, "1.5.0"), key)).json()).toMatchObject({ action: "update" });
  });

  it.each([0n, 12_345n])(
    "reports the amount that an account with %s wei lacks before anything is sent",
    async (balance) => {
      const key = await fixture.newKey();
      const did = fixture.newDid(key);
      await fixture.registry.attest(did, key.address);
      await fixture.registry.chain.setBalance({ address: key.address, value: balance });
      const file = await fixture.writeMetadata("Poor");
      const args = publish(file, did, "1.0.0", "--data-url", "https://example.com/poor.json");
      const environment = { ...fixture.chainOnly, PRIVATE_KEY: key.key };
      const { code, json } = await runCli(args, { environment });
      const { error } = json() as { error: { message: string; funds: Record<string, string> } };
      expect(error).toMatchObject({
        name: "InsufficientFundsError",
        retryable: false,
        funds: { account: key.address, balance: String(balance), currency: { symbol: "ETH", decimals: 18 } },
      });
      const needed = BigInt(error.funds.needed ?? "");
      expect(needed).toBeGreaterThan(100_000n * 10n ** 8n);
      const eth = (wei: bigint) => `${formatEther(wei)} ETH`;
      expect(error.message).toBe(
        `${key.address} has ${eth(balance)}, but this transaction may cost up to ${eth(needed)}. You need ${eth(needed - balance)} more.`,
      );
      expect(code).toBe(1);
      expect(await fixture.nonce(key)).toBe(0);
      // The reported amount suffices, unless the base fee has risen since.
      await fixture.registry.chain.setBalance({ address: key.address, value: needed * 2n });
      expect((await runCli(args, { environment })).json()).toMatchObject({ status: "published" });
    },
  );

  it("warns about misspelled fields, also with --json", async () => {
    const key = await fixture.newKey();
    const did = fixture.newDid(key);
    const misspelled = { ...restMetadata("Misspelled"), suportUrl: "https://example.com" };
    const file = await fixture.write("misspelled.json", JSON.stringify(misspelled));
    const published = await fixture.cli(publish(file, did, "1.0.0"), key);
    const warnings = [{ pointer: "/suportUrl", code: "unknown-field", suggestion: "supportUrl" }];
    expect(published.json()).toMatchObject({ status: "published", warnings });
    const update = await fixture.cli(["update", file, "--did", did], key);
    expect(update).toMatchObject({ code: 0, stderr: expect.stringContaining('Did you mean "supportUrl"?') });
    const { description, ...rest } = misspelled;
    const lacking = await fixture.write(
      "lacking2.json",
      JSON.stringify({ ...rest, desciption: description }),
    );
    expect((await fixture.cli(publish(lacking, did, "1.1.0"), key)).json()).toMatchObject({
      error: { name: "NotPublishableError" },
      warnings: [{ pointer: "/suportUrl" }, { pointer: "/desciption", suggestion: "description" }],
    });
  });

  it("lists all missing fields of the document", async () => {
    const key = await fixture.newKey();
    const file = await fixture.write("lacking.json", '{"name":"Maps"}');
    const { code, stderr } = await fixture.cli(
      publish(file, fixture.newDid(key), "1.0.0").filter((argument) => argument !== "--json"),
      key,
    );
    expect(code).toBe(1);
    for (const place of ["/description", "/publisher", "/traits", "/endpoints"])
      expect(stderr).toContain(place);
  });

  it("shows the call, its arguments and its gas in a dry run without sending it", async () => {
    const key = await fixture.newKey();
    const did = fixture.newDid(key);
    const file = await fixture.writeMetadata("Dry");
    const before = await fixture.cli(publish(file, did, "1.0.0", "--dry-run"), key);
    expect(before.json()).toMatchObject({ status: "dry-run", controlled: false, call: { gas: null } });
    await fixture.registry.attest(did, key.address);
    const environment = { APP_URL: fixture.service.baseUrl };
    const { json, code } = await runCli(publish(file, did, "1.0.0", "--dry-run", "--from", key.address), {
      environment,
    });
    expect(json()).toMatchObject({
      status: "dry-run",
      controlled: true,
      call: {
        sentence: `Register ${did}, version 1.0.0. You become its minter and hold its token.`,
        functionName: "mint",
        contract: fixture.registry.deployment.contracts.AppRegistry.address,
        args: { did, major: 1, minor: 0, patch: 0, interfaces: 2 },
        from: key.address,
        gas: expect.stringMatching(/^\d{6}$/),
      },
    });
    expect(code).toBe(0);
    expect(await fixture.nonce(key)).toBe(0);
  });
});

describe("a real MCP server", () => {
  let server: EverythingServer;

  beforeAll(async () => {
    server = await startEverythingServer();
  });

  afterAll(() => server.stop());

  it("is registered by init and publish without editing the file", async () => {
    const key = await fixture.newKey();
    const did = fixture.newDid(key);
    const file = join(fixture.directory, "everything.json");
    const written = await fixture.cli(["init", server.url, "--out", file]);
    expect(written).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("13 tools, 7 resources, 2 resource templates, 4 prompts"),
    });
    const published = await fixture.cli(publish(file, did, "1.0.0"), key);
    expect(published.json()).toMatchObject({ status: "published", attested: true });
    // All facts pass except Origin, because the server has another port than the DID.
    const verified = await fixture.cli(["verify", did]);
    expect(verified.stdout.match(/^pass /gm)).toHaveLength(4);
    expect(verified.stdout).toMatch(
      /^FAIL +origin +The endpoint at 127\.0\.0\.1:\d+ is not proven to belong to /m,
    );
    const found = await fixture.cli(["search", "--traits", "api:mcp", "--json"]);
    expect((found.json().results as { did: string }[]).map((result) => result.did)).toContain(did);
  });

  it("keeps an existing file unless it may be overwritten", async () => {
    const file = join(fixture.directory, "mine.json");
    await writeFile(file, "mine");
    const refused = await fixture.cli(["init", server.url, "--out", file]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") });
    expect((await fixture.cli(["init", server.url, "--out", file, "--force"])).code).toBe(0);
  });
});
