import { appPath } from "@app-registry/sdk";
import { endpointsUnder, restMetadata } from "@app-registry/test-kit/testRegistry";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFixture, createCliFixture } from "../../test/cliFixture.ts";
import { runCli } from "../../test/runCli.ts";

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
    const { code, json, stderr } = await fixture.cli(publish(file, did, "1.0.0"), key);
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

  it("requires a data URL without a web service", async () => {
    const key = await fixture.newKey();
    const did = fixture.newDid(key);
    const file = await fixture.writeMetadata("Offline");
    const environment = { ...fixture.chainOnly, PRIVATE_KEY: key.key };
    const nowhere = await runCli(publish(file, did, "1.0.0"), { environment });
    expect(nowhere.json()).toMatchObject({ error: { code: "data-url" } });
    const dataUrl = ["--data-url", "https://example.com/offline.json"];
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

  it("reports the amount that an account lacks before anything is sent", async () => {
    const key = await fixture.newKey();
    const did = fixture.newDid(key);
    await fixture.registry.attest(did, key.address);
    await fixture.registry.chain.setBalance({ address: key.address, value: 0n });
    const file = await fixture.writeMetadata("Poor");
    const args = publish(file, did, "1.0.0", "--data-url", "https://example.com/poor.json");
    const environment = { ...fixture.chainOnly, PRIVATE_KEY: key.key };
    const { code, json } = await runCli(args, { environment });
    const { error } = json() as { error: { funds: Record<string, string> } };
    expect(error).toMatchObject({
      name: "InsufficientFundsError",
      retryable: false,
      funds: { account: key.address, balance: "0", currency: { symbol: "ETH", decimals: 18 } },
    });
    const needed = BigInt(error.funds.needed ?? "");
    expect(needed).toBeGreaterThan(100_000n * 10n ** 8n);
    expect(code).toBe(1);
    expect(await fixture.nonce(key)).toBe(0);
    // The reported amount suffices, unless the base fee has risen since.
    await fixture.registry.chain.setBalance({ address: key.address, value: needed * 2n });
    expect((await runCli(args, { environment })).json()).toMatchObject({ status: "published" });
  });

  it("warns about misspelled fields, also with --json, and lists all problems", async () => {
    const key = await fixture.newKey();
    const did = fixture.newDid(key);
    const misspelled = { ...restMetadata("Misspelled"), suportUrl: "https://example.com" };
    const file = await fixture.write("misspelled.json", JSON.stringify(misspelled));
    const warnings = [{ pointer: "/suportUrl", code: "unknown-field", suggestion: "supportUrl" }];
    const published = await fixture.cli(publish(file, did, "1.0.0"), key);
    expect(published.json()).toMatchObject({ status: "published", warnings });
    const lacking = await fixture.write("lacking.json", '{"name":"Maps","suportUrl":"https://example.com"}');
    const args = publish(lacking, did, "1.1.0");
    const refused = await fixture.cli(args, key);
    expect(refused.json()).toMatchObject({ error: { name: "NotPublishableError" }, warnings });
    const { code, stderr } = await fixture.cli(
      args.filter((word) => word !== "--json"),
      key,
    );
    expect(code).toBe(1);
    for (const text of ['Did you mean "supportUrl"?', "/description", "/publisher", "/traits", "/endpoints"])
      expect(stderr).toContain(text);
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
