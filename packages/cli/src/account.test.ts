import { randomBytes } from "node:crypto";
import { encrypt, pbkdf2, scrypt } from "ox/Keystore";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFixture, createCliFixture } from "../test/cliFixture.ts";
import { runCli } from "../test/runCli.ts";

let fixture: CliFixture;

beforeAll(async () => {
  fixture = await createCliFixture();
});

afterAll(() => fixture.close());

const controller = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/** Command whose dry run shows the sending account, which the error of the registry does not. */
const command = (...more: string[]) => ["unblock", "did:web:example.com", controller, "--json", ...more];

const run = (environment: Record<string, string>, ...more: string[]) =>
  runCli(command(...more), { environment: { ...fixture.chainOnly, ...environment } });

describe("the key of a command", () => {
  const password = randomBytes(8).toString("hex");
  const derivations = {
    scrypt: () => scrypt({ password, n: 1024 }),
    pbkdf2: () => pbkdf2({ password, iterations: 1024 }),
  };

  it.each(["scrypt", "pbkdf2"] as const)("is read from a keystore with %s", async (kdf) => {
    const key = await fixture.newKey();
    const did = fixture.newDid(key);
    await fixture.registry.attest(did, key.address);
    const [derived, options] = derivations[kdf]();
    const keystore = await fixture.write(
      `keystore-${kdf}.json`,
      JSON.stringify(encrypt(key.key, derived, options)),
    );
    const file = await fixture.writeMetadata(kdf);
    const args = ["publish", file, "--did", did, "--version", "1.0.0", "--json", "--keystore", keystore];
    const { json } = await runCli(args, {
      environment: { APP_URL: fixture.service.baseUrl, KEYSTORE_PASSPHRASE: password },
    });
    expect(json()).toMatchObject({ status: "published" });
    const { minter } = await fixture.registry.publisher.getAppSummary({ did, major: 1 });
    expect(minter).toBe(privateKeyToAccount(key.key).address);
  });

  it("is rejected without being repeated if it is invalid", async () => {
    const [derived, options] = scrypt({ password, n: 1024 });
    const keystore = await fixture.write(
      "k.json",
      JSON.stringify(encrypt(generatePrivateKey(), derived, options)),
    );
    const cases: [Record<string, string>, string[], string][] = [
      [{}, [], "no key is set"],
      [{ PRIVATE_KEY: "0x1234secret" }, [], "PRIVATE_KEY is not a valid private key"],
      [{ PRIVATE_KEY: `0x${"0".repeat(64)}` }, [], "PRIVATE_KEY is not a valid private key"],
      [{ PRIVATE_KEY: generatePrivateKey(), KEYSTORE_FILE: keystore }, [], "both PRIVATE_KEY and a keystore"],
      [{ KEYSTORE_PASSPHRASE: "wrong" }, ["--keystore", keystore], "Couldn't open the keystore"],
      [{}, ["--keystore", keystore], "requires a passphrase"],
      [{ KEYSTORE_PASSPHRASE: password }, ["--keystore", "/nowhere.json"], "Couldn't read the keystore"],
    ];
    for (const [environment, args, message] of cases) {
      const { code, stdout } = await run(environment, ...args);
      expect(stdout).toContain(message);
      expect(stdout).not.toContain("secret");
      expect(code).toBe(2);
    }
  });

  it("is never repeated if it is given in the wrong place", async () => {
    const key = generatePrivateKey();
    const places: [string[], Record<string, string>][] = [
      ...[key, key.slice(2)].flatMap((text): [string[], Record<string, string>][] => [
        [["hash", text], {}],
        [["verify", text], {}],
        [["search", text], {}],
        [["publish", "x.json", "--did", text, "--version", "1.0.0"], {}],
        [["status", "did:web:example.com", `--keystore=${text}`], {}],
        [["search", "--registry", text], {}],
      ]),
      [["search"], { DEPLOYMENT_FILE: key }],
      [["search"], { APP_URL: key }],
      [["search"], { ...fixture.chainOnly, RPC_URL: key }],
      [["unblock", "did:web:example.com", controller], { ...fixture.chainOnly, KEYSTORE_FILE: key }],
    ];
    for (const [args, environment] of places) {
      const { code, stdout, stderr } = await runCli(args, { environment });
      expect(`${stdout}${stderr}`, args.join(" ")).not.toContain(key.slice(2));
      expect(code, args.join(" ")).toBe(2);
    }
  });

  it("is absent if its variable is empty, like the registry's", async () => {
    const empty = { APP_URL: "", KEYSTORE_FILE: "", PRIVATE_KEY: "" };
    expect((await run(empty)).stdout).toContain("no key is set");
    const { code } = await runCli(["status", "did:web:example.com", "--json"], {
      environment: { ...fixture.chainOnly, ...empty },
    });
    expect(code).toBe(1);
  });

  it("is optional for a dry run with an address, and required otherwise", async () => {
    const dry = await run({}, "--dry-run", "--from", controller);
    expect(dry.json()).toMatchObject({ error: { name: "ContractRevertError" } });
    expect((await run({}, "--from", controller)).json()).toMatchObject({ error: { name: "UsageError" } });
  });
});
