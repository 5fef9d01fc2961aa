import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { capture, rootDirectory } from "./processes.ts";

const abiNames = {
  appRegistryAbi: "AppRegistry",
  appMetadataAbi: "AppMetadata",
  resolverAbi: "ResolverWithStore",
};

/**
 * Compiles the contracts without their Solidity tests, and generates the ethers bindings and the ABIs in
 * packages/sdk/generated.
 * @throws Error with the compiler's output.
 */
export async function buildContracts(): Promise<void> {
  const { code, output } = await capture("hardhat", ["build", "--quiet", "--no-tests"]);
  if (code !== 0) throw new Error(output);
  await writeAbis();
}

/** Writes the ABIs as const, for the types of viem and wagmi, and without bytecode, for a small browser bundle. */
async function writeAbis(): Promise<void> {
  const target = join(rootDirectory, "packages/sdk/generated/abi.ts");
  const modules: string[] = [];
  for (const [name, contract] of Object.entries(abiNames)) {
    const artifact = join(rootDirectory, `artifacts/contracts/${contract}.sol/${contract}.json`);
    const { abi } = JSON.parse(await readFile(artifact, "utf8")) as { abi: unknown[] };
    modules.push(`export const ${name} = ${JSON.stringify(withoutInternalTypes(abi), null, 2)} as const;\n`);
  }
  const source = modules.join("\n");
  await mkdir(dirname(target), { recursive: true });
  // Keep the modification time of unchanged output, so that watchers do not rebuild.
  if ((await readFile(target, "utf8").catch(() => "")) !== source) await writeFile(target, source);
}

/** Removes the compiler's internal type names, which are a quarter of an ABI and unused. */
const withoutInternalTypes = (abi: unknown): unknown =>
  JSON.parse(JSON.stringify(abi, (key, value) => (key === "internalType" ? undefined : value)));
