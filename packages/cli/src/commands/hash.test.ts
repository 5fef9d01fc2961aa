import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HashAlgorithm, hashDocument } from "@app-registry/sdk";
import { deadOrigin, serveFiles } from "@app-registry/test-kit/httpServer";
import { runHere } from "@app-registry/test-kit/runHere";
import { describe, expect, it, onTestFinished } from "vitest";
import { spawnCli } from "../../test/runCli.ts";

const text = '{ "b": 1.0, "a": "é" }';

describe("hash", () => {
  it("prints the dataHash of standard input", async () => {
    const { code, stdout } = await spawnCli(["hash", "-"], { input: text });
    expect(stdout).toBe(`${hashDocument(text, HashAlgorithm.keccak256).dataHash}\n`);
    expect(code).toBe(0);
  });

  it.each(["keccak256", "sha256"] as const)(
    "reads a URL and hashes the document with %s",
    async (algorithm) => {
      const { files, origin } = await serveFiles();
      files.set("/metadata.json", text);
      const { json } = await runHere(["hash", `${origin}/metadata.json`, "--algorithm", algorithm]);
      const { dataHash } = hashDocument(text, HashAlgorithm[algorithm]);
      expect(json()).toEqual({ ok: true, dataHash, algorithm, size: 16 });
    },
  );

  it("exits with 1 for a document without a canonical form, and reports the position", async () => {
    const { files, origin } = await serveFiles();
    files.set("/twice.json", '{"a":1,"a":2}');
    const { code, text: shown } = await runHere(["hash", `${origin}/twice.json`]);
    expect(shown).toContain("line 1");
    expect(code).toBe(1);
  });

  it("reads no more of standard input than a document can have", async () => {
    const { code, stderr, stdout } = await spawnCli(["hash", "-"], { input: Buffer.alloc(1_048_577, " ") });
    expect(stderr).toContain("Standard input is larger than 1048576 bytes");
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  it.each([
    ["is not UTF-8 text", Uint8Array.of(0x22, 0xff, 0x22)],
    ["byte order mark", Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d)],
  ])("repairs nothing of a document: %s", async (reason, bytes) => {
    const directory = await mkdtemp(join(tmpdir(), "app-registry-hash-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    const file = join(directory, "metadata.json");
    await writeFile(file, bytes);
    const { code, text: shown } = await runHere(["hash", file]);
    expect(shown).toContain(reason);
    expect(code).toBeGreaterThan(0);
  });

  it("reads no more of a device than a document can have", async () => {
    const { code, json } = await runHere(["hash", "/dev/zero"]);
    expect(json()).toMatchObject({
      error: { message: "The file /dev/zero is larger than 1048576 bytes." },
    });
    expect(code).toBe(2);
  });

  it("exits with 2 for a missing file, and with 3 for a host that does not respond", async () => {
    expect((await runHere(["hash", "/nowhere.json"])).code).toBe(2);
    expect((await runHere(["hash", `${deadOrigin}/metadata.json`])).code).toBe(3);
  });
});
