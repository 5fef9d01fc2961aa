import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startLocalRegistry } from "./localRegistry.ts";
import { node20Environment } from "./oldestNode.ts";

const sdk = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);

describe("npm in the package's folder", () => {
  it.each(["pack", "publish"])(
    "refuses to %s, which would ship exports that lead to no file, and says what to do",
    async (command) => {
      const packed = run("npm", [command, "--dry-run"], { cwd: sdk });
      await expect(packed).rejects.toMatchObject({
        code: expect.any(Number),
        stderr: expect.stringContaining(`\`npx -y pnpm@10 ${command}\``),
      });
    },
  );
});

/** The statements of each block of the README that import something when they run; its own files are left out. */
async function readmeImports(): Promise<string[]> {
  const text = await readFile(new URL("../../../../README.md", import.meta.url), "utf8");
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block = ""]) => block);
  return blocks.map((block) => block.match(/^import (?!type).* from "[^.].*$/gm)?.join("\n") ?? "");
}

describe("the packed package, installed by npm on Node 20 with engine-strict", () => {
  let project: string;
  let environment: NodeJS.ProcessEnv;
  let manifest: { version: string; engines: { node: string } };

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), "app-registry-npm-"));
    manifest = JSON.parse(await readFile(join(inject("packageFolder"), "package.json"), "utf8"));
    environment = await node20Environment();
    const registry = await startLocalRegistry(sdk);
    await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
    await writeFile(join(project, ".npmrc"), "engine-strict=true\naudit=false\nfund=false\n");
    // npm compares `engines` with this, so that the oldest Node that the package claims is the one that is judged.
    const [, oldest] = /^>=(\d+\.\d+)$/.exec(manifest.engines.node) ?? [];
    const pretend = `Object.defineProperty(process, "version", { value: "v${oldest}.0" })`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(pretend)}`;
    const options = ["--registry", registry.url, "--cache", join(project, ".cache")];
    await run("npm", ["install", inject("tarball"), "viem", ...options], {
      cwd: project,
      env: { ...environment, NODE_OPTIONS },
    }).finally(() => registry.close());
  });

  afterAll(() => rm(project, { recursive: true }));

  const node20 = async (program: string, ...parameters: string[]) =>
    (await run(program, parameters, { cwd: project, env: environment })).stdout.trim();

  it("runs the command, which knows its version", async () => {
    expect(await node20("node", "--version")).toMatch(/^v20\./);
    expect(await node20("node_modules/.bin/app-registry", "--version")).toBe(manifest.version);
    expect(await node20("node_modules/.bin/app-registry", "--help")).toContain("Usage: app-registry");
  });

  it("holds what the three blocks of the README import", async () => {
    const blocks = await readmeImports();
    expect(blocks).toHaveLength(3);
    for (const [index, block] of blocks.entries()) {
      expect(block).toContain('from "@app-registry/sdk"');
      await writeFile(join(project, `block${index}.js`), `${block}\nconsole.log("imported");`);
      expect(await node20("node", `block${index}.js`)).toBe("imported");
    }
  });
});
