import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { capture, rootDirectory } from "./processes.ts";

const abiNames = {
  appRegistryAbi: "AppRegistry",
  appMetadataAbi: "AppMetadata",
  resolverAbi: "ResolverWithStore",
};

/**
 * Compiles the contracts, without their Solidity tests, and writes what the other parts read of them: ethers'
 * bindings and the ABIs, both in packages/sdk/generated.
 * @throws With everything that the compiler said.
 */
export async function buildContracts(): Promise<void> {
  const { code, output } = await capture("hardhat", ["build", "--quiet", "--no-tests"]);
  if (code !== 0) throw new Error(output);
  await writeAbis();
}

/** As const and without bytecode, so that they type viem and wagmi and stay small in a browser. */
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
  // Unchanged output keeps its modification time, so that watchers do not rebuild.
  if ((await readFile(target, "utf8").catch(() => "")) !== source) await writeFile(target, source);
}

/** The compiler's own type names are a quarter of an ABI, and nobody reads them. */
const withoutInternalTypes = (abi: unknown): unknown =>
  JSON.parse(JSON.stringify(abi, (key, value) => (key === "internalType" ? undefined : value)));
