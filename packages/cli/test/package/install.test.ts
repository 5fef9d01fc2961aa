import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { pnpm } from "./pnpm.ts";

const cli = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);

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
import { type FilledMetadata, fillMetadata } from "@app-registry/outbound/fill";
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
// @ts-expect-error a version is three numbers
await client.getVersionRecord({ did: "did:web:example.com", version: "1.0.0" });
export const all = [total === same, app.dataUrl, facts.control.outcome satisfies "pass" | "fail" | "unknown", createGuardedFetch() satisfies GuardedFetch];
export const options: CreateIssuerOptions["guardedFetch"] = createGuardedFetch();
export const others = [createIssuer, fillMetadata satisfies (...parameters: never[]) => FilledMetadata];
`;

describe("the packed packages in an empty project", () => {
  let project: string;

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), "app-registry-user-"));
    const packed = inject("packed");
    const own = Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`]));
    // Link the declared dependencies from the workspace, so that nothing is downloaded. All others are missing.
    const links: Record<string, string> = {};
    const peers: Record<string, string> = {};
    for (const { folder, content } of packed) {
      const { dependencies, peerDependencies } = JSON.parse(
        await readFile(join(content, "package.json"), "utf8"),
      );
      for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
        if (name in own) continue;
        links[name] = `link:${folder}/node_modules/${name}`;
        if (name in (peerDependencies ?? {})) peers[name] = links[name];
      }
    }
    const manifest = {
      private: true,
      type: "module",
      dependencies: { ...own, ...peers },
      pnpm: { overrides: { ...links, ...own } },
    };
    await writeFile(join(project, "package.json"), JSON.stringify(manifest));
    await writeFile(join(project, "script.js"), script);
    await writeFile(join(project, "types.ts"), types);
    await pnpm(["install", "--offline", "--ignore-workspace"], project);
  });

  afterAll(() => rm(project, { recursive: true }));

  it("imports every subpath", async () => {
    const { stdout } = await run(process.execPath, ["script.js"], { cwd: project });
    const [did, viemAbi, ethersAbi, ...types] = JSON.parse(stdout);
    expect(did).toBe("did:web:example.com");
    expect(viemAbi).toBeGreaterThan(50);
    expect(ethersAbi).toBe(viemAbi);
    expect(types).toEqual(["function", "function", "function"]);
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
    expect((await checked).stdout).toBe("");
  });
});
