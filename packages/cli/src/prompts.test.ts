import { randomBytes } from "node:crypto";
import { encrypt, scrypt } from "ox/Keystore";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFixture, createCliFixture, type Key } from "../test/cliFixture.ts";
import { runCliInTerminal } from "../test/runCliInTerminal.ts";

let fixture: CliFixture;

beforeAll(async () => {
  fixture = await createCliFixture();
});
afterAll(() => fixture.close());

const ENTER = "\r";
const CTRL_C = "\u0003";

/** Prepares a valid publication and a function that runs it in a terminal. */
async function preparePublication() {
  const key = await fixture.newKey();
  const did = fixture.newDid(key);
  const file = await fixture.writeMetadata(did.split(":").at(-1) ?? "");
  const args = ["publish", file, "--did", did, "--version", "1.0.0"];
  return { key, did, args };
}

async function createKeystore({ key }: Key) {
  const passphrase = randomBytes(8).toString("hex");
  const [derived, options] = scrypt({ password: passphrase, n: 1024 });
  const file = await fixture.write(
    `${passphrase.slice(0, 4)}.json`,
    JSON.stringify(encrypt(key, derived, options)),
  );
  return { file, passphrase };
}

const getMinter = async (did: string) =>
  (await fixture.registry.publisher.getAppSummary({ did, major: 1 })).minter;

describe("a user at a terminal", () => {
  it("enters the keystore's passphrase hidden, sees the transaction, and confirms it", async () => {
    const { key, did, args } = await preparePublication();
    const { file, passphrase } = await createKeystore(key);
    const { code, screen } = await runCliInTerminal([...args, "--keystore", file], {
      environment: { APP_URL: fixture.service.baseUrl },
      replies: [
        ["Passphrase of", `${passphrase}${ENTER}`],
        ["Send this transaction?", ENTER],
      ],
    });
    expect(code, screen).toBe(0);
    expect(screen).toContain("Transaction");
    expect(screen).toContain(`Register ${did}`);
    expect(screen).not.toContain(passphrase);
    expect(await getMinter(did)).toBe(key.address);
  });

  it("cancels the transaction with Ctrl-C", async () => {
    const { key, args } = await preparePublication();
    const { file } = await createKeystore(key);
    const { code, screen } = await runCliInTerminal([...args, "--keystore", file], {
      environment: { APP_URL: fixture.service.baseUrl },
      replies: [["Passphrase of", CTRL_C]],
    });
    expect(code, screen).toBe(2);
    expect(screen).toContain("No passphrase entered.");
    expect(await fixture.nonce(key)).toBe(0);
  });

  it("is warned that a lower major version becomes a new record, and cancels by answering no", async () => {
    const { key, did, args } = await preparePublication();
    const [command = "", file = ""] = args;
    await fixture.cli([command, file, "--did", did, "--version", "2.0.0"], key);
    const nonce = await fixture.nonce(key);
    const { code, screen } = await runCliInTerminal(args, {
      environment: { APP_URL: fixture.service.baseUrl, PRIVATE_KEY: key.key },
      replies: [["Send this transaction?", "n"]],
    });
    expect(code, screen).toBe(2);
    expect(screen).toContain("below the latest major version 2");
    expect(screen).toContain("Nothing was sent.");
    expect(await fixture.nonce(key)).toBe(nonce);
  });

  it("gets no prompt with --json", async () => {
    const { key, did, args } = await preparePublication();
    const { code, screen } = await runCliInTerminal([...args, "--json"], {
      environment: { APP_URL: fixture.service.baseUrl, PRIVATE_KEY: key.key },
      replies: [],
    });
    expect(code, screen).toBe(0);
    expect(screen).not.toContain("Send this transaction?");
    expect(await getMinter(did)).toBe(key.address);
  });
});
