import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { describe, expect, inject, it } from "vitest";

const cli = fileURLToPath(new URL("../../", import.meta.url));
const bin = (name: string) => `${cli}node_modules/.bin/${name}`;
const run = promisify(execFile);

const packed = inject("packed");

describe.each(packed)("$name", ({ tarball }) => {
  it("passes publint", async () => {
    const { messages, pkg } = await publint({
      pack: { tarball: new Uint8Array(await readFile(tarball)).buffer },
      strict: true,
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });
});

// The commands have no exports.
it.each(packed.filter(({ name }) => !/(cli|mcp)$/.test(name)))(
  "$name has types for every ESM resolution (are the types wrong?)",
  async ({ tarball }) => {
    await run(bin("attw"), [tarball, "--profile", "esm-only", "--no-color"]);
  },
);

it("every entry point stays within its size limit", async () => {
  const { stdout } = await run(bin("size-limit"), ["--json"], { cwd: cli }).catch((failure) => failure);
  const measured = JSON.parse(stdout) as { name: string; passed: boolean; size: number }[];
  expect(measured.length).toBeGreaterThan(0);
  expect(measured.filter(({ passed }) => !passed)).toEqual([]);
});

const commands = packed.filter(({ name }) => /(cli|mcp)$/.test(name));

it.each(commands)("$name installs nothing else, and names no other package of its scope", async (command) => {
  const { name, ...manifest } = JSON.parse(await readFile(join(command.content, "package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("dependencies");
  expect(JSON.stringify(manifest)).not.toContain("@app-registry/");
});

it("the packed guard, which a client downloads before its first connection, is below 1 MB", async () => {
  const { tarball = "" } = packed.find(({ name }) => name === "@app-registry/mcp") ?? {};
  expect((await stat(tarball)).size).toBeLessThan(1_000_000);
});
