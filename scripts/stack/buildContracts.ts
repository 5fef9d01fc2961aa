import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { id } from "ethers";
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
  const hashes: Record<string, string> = {};
  for (const [name, contract] of Object.entries(abiNames)) {
    const artifact = join(rootDirectory, `artifacts/contracts/${contract}.sol/${contract}.json`);
    const { abi } = JSON.parse(await readFile(artifact, "utf8")) as { abi: unknown[] };
    hashes[contract] = abiHash(abi);
    modules.push(`export const ${name} = ${JSON.stringify(abi, null, 2)} as const;\n`);
  }
  modules.push(
    `/** keccak256 of each ABI's JSON text, by contract. */\nexport const abiHashes = ${JSON.stringify(hashes, null, 2)} as const;\n`,
  );
  const source = modules.join("\n");
  await mkdir(dirname(target), { recursive: true });
  // Unchanged output keeps its modification time, so that watchers do not rebuild.
  if ((await readFile(target, "utf8").catch(() => "")) !== source) await writeFile(target, source);
}

/** keccak256 of the JSON text of an ABI, by which a deployment's contracts are told from others. */
export const abiHash = (abi: readonly unknown[]): string => id(JSON.stringify(abi));
