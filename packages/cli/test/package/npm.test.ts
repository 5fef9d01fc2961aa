import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startLocalRegistry } from "./localRegistry.ts";
import { oldestEnvironment } from "./oldestNode.ts";

/** Package that depends on all others with dependencies. */
const issuer = fileURLToPath(new URL("../../../issuer/", import.meta.url));
const run = promisify(execFile);

describe("npm in a package's folder", () => {
  const folders = inject("packed").map(({ name, folder }) => ({ name, folder }));
  it.each(folders.flatMap((one) => ["pack", "publish"].map((command) => ({ ...one, command }))))(
    "refuses to $command $name, whose exports would be missing, and shows the correct command",
    async ({ command, folder }) => {
      const packed = run("npm", [command, "--dry-run"], { cwd: folder });
      await expect(packed).rejects.toMatchObject({
        code: expect.any(Number),
        stderr: expect.stringContaining(`\`npx -y pnpm@10 ${command}\``),
      });
    },
  );
});

/** Lists the runtime imports in each block of the README, except those of local files. */
async function readmeImports(): Promise<string[]> {
  const text = await readFile(new URL("../../../../README.md", import.meta.url), "utf8");
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block = ""]) => block);
  return blocks.map((block) => block.match(/^import (?!type).* from "[^.].*$/gm)?.join("\n") ?? "");
}

describe("the packed packages, installed by npm on the oldest Node.js with engine-strict", () => {
  let project: string;
  let environment: NodeJS.ProcessEnv;
  let manifest: { version: string; engines: { node: string } };

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), "app-registry-npm-"));
    const packed = inject("packed");
    const manifests = await Promise.all(
      packed.map(async ({ content }) => JSON.parse(await readFile(join(content, "package.json"), "utf8"))),
    );
    manifest = manifests.at(-1);
    expect(new Set(manifests.map(({ engines }) => engines.node)).size).toBe(1);
    environment = await oldestEnvironment();
    const registry = await startLocalRegistry(issuer);
    await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
    await writeFile(join(project, ".npmrc"), "engine-strict=true\naudit=false\nfund=false\n");
    const options = ["--registry", registry.url, "--cache", join(project, ".cache")];
    await run("npm", ["install", ...packed.map(({ tarball }) => tarball), "viem", ...options], {
      cwd: project,
      env: environment,
    }).finally(() => registry.close());
  });

  afterAll(() => rm(project, { recursive: true }));

  const runOldest = async (program: string, ...parameters: string[]) =>
    (await run(program, parameters, { cwd: project, env: environment })).stdout.trim();

  it("runs the command, which prints its version", async () => {
    expect(await runOldest("node", "--version")).toBe(`v${manifest.engines.node.slice(2)}.0`);
    expect(await runOldest("node_modules/.bin/app-registry", "--version")).toBe(manifest.version);
    expect(await runOldest("node_modules/.bin/app-registry", "--help")).toContain("Usage: app-registry");
  });

  it.each(["sdk", "outbound", "outbound/fill", "issuer"])("imports @app-registry/%s", async (subpath) => {
    const script = `import * as all from "@app-registry/${subpath}"; console.log(Object.keys(all).length > 0);`;
    expect(await runOldest("node", "--input-type=module", "--eval", script)).toBe("true");
  });

  it("provide all imports of the three blocks of the README", async () => {
    const blocks = await readmeImports();
    expect(blocks).toHaveLength(3);
    for (const [index, block] of blocks.entries()) {
      expect(block).toContain('from "@app-registry/sdk"');
      await writeFile(join(project, `block${index}.js`), `${block}\nconsole.log("imported");`);
      expect(await runOldest("node", `block${index}.js`)).toBe("imported");
    }
  });
});
