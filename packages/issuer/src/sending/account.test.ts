import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AccountError, readAccount } from "./account.ts";

let folder: string;
beforeAll(async () => {
  // Don't use the temporary folder, which may be in memory like a secret mount.
  folder = await mkdtemp(join(import.meta.dirname, "../../node_modules/.issuer-key-"));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function file(content: string, mode = 0o400, end = "") {
  const path = join(folder, `file-${files++}${end}`);
  await writeFile(path, content, { mode });
  // Set the mode explicitly, because the process's umask may restrict it.
  await chmod(path, mode);
  return path;
}
function read(variables: Record<string, string>) {
  const problems: string[] = [];
  const warnings: string[] = [];
  const open = readAccount(variables, problems, warnings);
  return { problems, warnings, open };
}

const key = generatePrivateKey();
const address = privateKeyToAddress(key);

describe("readAccount", () => {
  it("returns no account without a variable or with empty ones", () => {
    expect(read({})).toEqual({ problems: [], warnings: [], open: undefined });
    expect(read({ ISSUER_PRIVATE_KEY: "", ISSUER_PRIVATE_KEY_FILE: "", ISSUER_ACCOUNT_MODULE: "" })).toEqual({
      ...{ problems: [], warnings: [], open: undefined },
    });
  });

  it("reads the key from a variable", async () => {
    const { open, problems } = read({ ISSUER_PRIVATE_KEY: key });
    expect(problems).toEqual([]);
    expect((await open?.())?.address).toBe(address);
  });

  it.each([
    ["", "no line break"],
    ["\n", "a line break"],
    ["\r\n", "a line break of Windows"],
  ])("reads the key from a file that ends in %j", async (end) => {
    const { open, problems, warnings } = read({ ISSUER_PRIVATE_KEY_FILE: await file(key + end) });
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
    expect((await open?.())?.address).toBe(address);
  });

  it.skipIf(!existsSync("/dev/shm"))(
    "reads the key from a Kubernetes secret mount without a warning",
    async () => {
      const memory = execFileSync("mktemp", ["-d", "-p", "/dev/shm"], { encoding: "utf8" }).trim();
      try {
        await writeFile(join(memory, "key"), key, { mode: 0o444 });
        await symlink(memory, join(memory, "..data"));
        const { open, problems, warnings } = read({ ISSUER_PRIVATE_KEY_FILE: join(memory, "..data", "key") });
        expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
        expect((await open?.())?.address).toBe(address);
      } finally {
        await rm(memory, { recursive: true });
      }
    },
  );

  // @threat services: A stack trace or a key in an answer, log or readable file
  it("warns if everyone on the machine can read the key file", async () => {
    const { open, warnings, problems } = read({ ISSUER_PRIVATE_KEY_FILE: await file(key, 0o444) });
    expect(problems).toEqual([]);
    expect(open).toBeDefined();
    expect(warnings).toEqual([expect.stringContaining("0400")]);
  });

  it.each([
    ["two keys", `${key}\n${key}`],
    ["spaces", ` ${key}`],
    ["two line breaks", `${key}\n\n`],
    ["no 0x", key.slice(2)],
    ["nothing", ""],
    ["a key of no account", `0x${"00".repeat(32)}`],
    ["a large file", key.repeat(100)],
  ])("rejects a file with %s without repeating its content", async (_, content) => {
    const { open, problems } = read({ ISSUER_PRIVATE_KEY_FILE: await file(content) });
    expect(open).toBeUndefined();
    expect(problems).toEqual([
      "ISSUER_PRIVATE_KEY_FILE must name a file that holds a secp256k1 private key (0x and 64 hex digits)",
    ]);
  });

  it("rejects a folder, an endless file and a missing file", async () => {
    for (const path of [folder, "/dev/zero"]) {
      expect(read({ ISSUER_PRIVATE_KEY_FILE: path }).problems).toEqual([
        expect.stringMatching(/must name a file/),
      ]);
    }
    const missing = read({ ISSUER_PRIVATE_KEY_FILE: join(folder, "nothing") });
    expect(missing.problems).toEqual(["ISSUER_PRIVATE_KEY_FILE can't be read (ENOENT)"]);
  });

  // @threat services: A stack trace or a key in an answer, log or readable file
  it("never repeats a key that is set in the wrong variable", () => {
    for (const name of ["ISSUER_PRIVATE_KEY", "ISSUER_PRIVATE_KEY_FILE", "ISSUER_ACCOUNT_MODULE"]) {
      const { problems, open } = read({ [name]: key.slice(0, -1) });
      expect(open).toBeUndefined();
      expect(problems).toEqual([expect.stringContaining(name)]);
      expect(problems.join()).not.toContain(key.slice(2, 20));
    }
  });

  it("rejects more than one location of the key", async () => {
    const { problems, open } = read({
      ISSUER_PRIVATE_KEY: key,
      ISSUER_PRIVATE_KEY_FILE: await file(key),
      ISSUER_ACCOUNT_MODULE: folder,
    });
    expect(open).toBeUndefined();
    expect(problems).toEqual([
      "ISSUER_PRIVATE_KEY and ISSUER_PRIVATE_KEY_FILE and ISSUER_ACCOUNT_MODULE are set: set one of them",
    ]);
  });
});

describe("readAccount, with an account module", () => {
  const account = `{ address: "${address}", type: "local", signTransaction: async () => "0x", signTypedData: async () => "0x" }`;
  const createModule = (content: string) => file(content, 0o400, ".mjs");
  const open = async (content: string) =>
    read({ ISSUER_ACCOUNT_MODULE: await createModule(content) }).open?.();

  it("loads the module by an absolute or relative path and calls it once", async () => {
    const path = await createModule(
      `let asked = 0; export default async () => { if (asked++) throw new Error("again"); return ${account}; };`,
    );
    const reading = read({ ISSUER_ACCOUNT_MODULE: relative(process.cwd(), path) });
    expect(reading.problems).toEqual([]);
    const [one, two] = await Promise.all([reading.open?.(), reading.open?.()]);
    expect(one?.address).toBe(address);
    expect(two).toBe(one);
  });

  it("retries if the KMS of the module does not respond at first", async () => {
    const path = await createModule(
      `let asked = 0; export default () => { if (!asked++) throw Object.assign(new Error("${key}"), { code: "ECONNREFUSED" }); return ${account}; };`,
    );
    const { open } = read({ ISSUER_ACCOUNT_MODULE: path });
    const refusal = await open?.().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AccountError);
    expect(refusal).toMatchObject({ retryable: true, shortMessage: expect.stringContaining("ECONNREFUSED") });
    expect((refusal as AccountError).shortMessage).not.toContain(key);
    expect((await open?.())?.address).toBe(address);
  });

  it.each([
    ["is no module", "export default ;", /can't be loaded/],
    ["needs what is not there", 'import "nothing-like-this";', /ERR_MODULE_NOT_FOUND/],
    ["exports no function", `export default ${account};`, /not a function/],
    [
      "returns no account",
      "export default () => undefined;",
      /must return a viem account that signs locally/,
    ],
    [
      "returns an account of a wallet",
      `export default () => ({ address: "${address}" });`,
      /must return a viem account that signs locally/,
    ],
  ])("fails permanently if the module %s", async (_, content, words) => {
    const refusal = await open(content).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AccountError);
    expect(refusal).toMatchObject({ retryable: false, shortMessage: expect.stringMatching(words) });
  });
});
