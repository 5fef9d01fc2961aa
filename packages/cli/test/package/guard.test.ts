import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

/** Bytes of the packed guard: what a client downloads before the first connection. */
const MAX_TARBALL_SIZE = 1_000_000;

const commands = inject("packed").filter(({ name }) => /(cli|mcp)$/.test(name));
const packed = commands.find(({ name }) => name === "@app-registry/mcp");

it.each(commands)("$name installs nothing else, and names no other package of its scope", async (command) => {
  const { name, ...manifest } = JSON.parse(await readFile(join(command.content, "package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("dependencies");
  expect(JSON.stringify(manifest)).not.toContain("@app-registry/");
});

describe("the packed guard", () => {
  let folder: string;

  beforeAll(async () => {
    // Away from the workspace, whose modules Node would find.
    folder = await mkdtemp(join(tmpdir(), "app-registry-guard-"));
    await cp(packed?.content ?? "", folder, { recursive: true });
  });

  afterAll(() => rm(folder, { recursive: true }));

  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(folder, "bin/app-registry-mcp.js"), ...args], {
      cwd: folder,
    });

  it("stays within its size limit", async () => {
    expect((await stat(packed?.tarball ?? "")).size).toBeLessThan(MAX_TARBALL_SIZE);
  });

  it("runs without the workspace", async () => {
    expect((await run("connect", "--help")).stdout).toContain("app-registry-mcp connect did:web:example.com");
  });

  it("names the missing registry", async () => {
    await expect(run("connect", "did:web:a.example")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("No registry is configured."),
    });
  });
});
