import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startLocalRegistry } from "./localRegistry.ts";
import { oldestEnvironment } from "./oldestNode.ts";

const cli = fileURLToPath(new URL("../../", import.meta.url));
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

const script = `
import { parseDid } from "@app-registry/sdk";
import { appRegistryAbi } from "@app-registry/sdk/abi";
import { AppRegistry__factory } from "@app-registry/sdk/ethers";
import { createGuardedFetch } from "@app-registry/outbound";
import { fillMetadata } from "@app-registry/outbound/fill";
import { createIssuer } from "@app-registry/issuer";

const { did } = parseDid("did:web:Example.com");
const counts = [appRegistryAbi.length, AppRegistry__factory.abi.length];
const types = [createGuardedFetch, fillMetadata, createIssuer].map((value) => typeof value);
console.log(JSON.stringify([did, ...counts, ...types]));
`;

const types = `
import { type AppRegistryClient, createAppRegistryClient, type Deployment, verifyApp } from "@app-registry/sdk";
import { appRegistryAbi } from "@app-registry/sdk/abi";
import { type AppRegistry, AppRegistry__factory } from "@app-registry/sdk/ethers";
import { createGuardedFetch, type GuardedFetch } from "@app-registry/outbound";
import { fillMetadata } from "@app-registry/outbound/fill";
import { type CreateIssuerOptions, createIssuer } from "@app-registry/issuer";
import { JsonRpcProvider } from "ethers";
import { createPublicClient, http } from "viem";
import { readContract } from "viem/actions";

declare const deployment: Deployment;
const publicClient = createPublicClient({ transport: http("http://127.0.0.1:8545") });
const client: AppRegistryClient = createAppRegistryClient({ deployment, publicClient });
const { address } = deployment.contracts.AppRegistry;
const total: bigint = await readContract(publicClient, { address, abi: appRegistryAbi, functionName: "totalSupply" });
const contract: AppRegistry = AppRegistry__factory.connect(address, new JsonRpcProvider());
const same: bigint = await contract.totalSupply();
const app: { dataUrl: string } = await client.getApp({ did: "did:web:example.com", major: 1 });
const { facts } = await verifyApp({ client, did: "did:web:example.com" });
// @ts-expect-error a version is a text or its numbers
await client.getVersionRecord({ did: "did:web:example.com", version: 1 });
export const all = [total === same, app.dataUrl, facts.control.outcome satisfies "pass" | "fail" | "unknown", createGuardedFetch() satisfies GuardedFetch];
export const options: CreateIssuerOptions["guardedFetch"] = createGuardedFetch();
export const others = [createIssuer, fillMetadata satisfies (...parameters: never[]) => { metadata: object }];
`;

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
    const tarballs = packed.map(({ tarball }) => tarball);
    await run("npm", ["install", ...tarballs, "viem", "ethers", ...options], {
      cwd: project,
      env: environment,
    }).finally(() => registry.close());
    await writeFile(join(project, "script.js"), script);
    await writeFile(join(project, "types.ts"), types);
  });

  afterAll(() => rm(project, { recursive: true }));

  const runOldest = async (program: string, ...parameters: string[]) =>
    (await run(program, parameters, { cwd: project, env: environment })).stdout.trim();

  it("runs the command, which prints its version", async () => {
    expect(await runOldest("node", "--version")).toBe(`v${manifest.engines.node.slice(2)}.0`);
    expect(await runOldest("node_modules/.bin/app-registry", "--version")).toBe(manifest.version);
    expect(await runOldest("node_modules/.bin/app-registry", "--help")).toContain("Usage: app-registry");
  });

  it("imports every subpath", async () => {
    const [did, viemAbi, ethersAbi, ...types] = JSON.parse(await runOldest("node", "script.js"));
    expect(did).toBe("did:web:example.com");
    expect(viemAbi).toBeGreaterThan(50);
    expect(ethersAbi).toBe(viemAbi);
    expect(types).toEqual(["function", "function", "function"]);
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

  it.each([
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])("has types under module %s, moduleResolution %s", async (module, moduleResolution) => {
    const options = { module, moduleResolution, target: "es2022", strict: true, noEmit: true, types: [] };
    const config = {
      compilerOptions: { ...options, exactOptionalPropertyTypes: true, skipLibCheck: true },
      files: ["types.ts"],
    };
    const path = join(project, `tsconfig.${moduleResolution}.json`);
    await writeFile(path, JSON.stringify(config));
    const checked = run(`${cli}node_modules/.bin/tsc`, ["-p", path]).catch(({ stdout }) => ({ stdout }));
    const x = (await checked).stdout;
    if (x) throw new Error(x);
  });
});
