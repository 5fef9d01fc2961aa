import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { expect, inject, it } from "vitest";

const sdk = fileURLToPath(new URL("../../", import.meta.url));
const bin = (name: string) => `${sdk}node_modules/.bin/${name}`;
const run = promisify(execFile);

it("is packed as publint asks", async () => {
  const tarball = await readFile(inject("tarball"));
  const { messages, pkg } = await publint({
    pack: { tarball: new Uint8Array(tarball).buffer },
    strict: true,
  });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

it("has types that every ESM resolution finds (are the types wrong?)", async () => {
  await run(bin("attw"), [inject("tarball"), "--profile", "esm-only", "--no-color"]);
});

it("stays within the size budget of each entry point", async () => {
  const { stdout } = await run(bin("size-limit"), ["--json"], { cwd: sdk }).catch((failure) => failure);
  const measured = JSON.parse(stdout) as { name: string; passed: boolean; size: number }[];
  expect(measured.length).toBeGreaterThan(0);
  expect(measured.filter(({ passed }) => !passed)).toEqual([]);
});
