import { mkdir, readFile, writeFile } from "node:fs/promises";

/**
 * Writes packages/sdk/generated/abi.ts: the contracts' ABIs as const, without bytecode, so that they type viem
 * and wagmi and stay small in a browser.
 */
const contracts = {
  appRegistryAbi: "AppRegistry",
  appMetadataAbi: "AppMetadata",
  resolverAbi: "ResolverWithStore",
};

const root = new URL("../", import.meta.url);
const target = new URL("packages/sdk/generated/abi.ts", root);

const modules: string[] = [];
for (const [exportName, contract] of Object.entries(contracts)) {
  const artifact = new URL(`artifacts/contracts/${contract}.sol/${contract}.json`, root);
  const { abi } = JSON.parse(await readFile(artifact, "utf8")) as { abi: unknown[] };
  modules.push(`export const ${exportName} = ${JSON.stringify(abi, null, 2)} as const;\n`);
}
const source = modules.join("\n");
await mkdir(new URL("./", target), { recursive: true });
// Unchanged output keeps its modification time, so that watchers do not rebuild.
if ((await readFile(target, "utf8").catch(() => "")) !== source) await writeFile(target, source);
