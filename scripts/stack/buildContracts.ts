import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rootDirectory, run } from "./processes.ts";

/** Paths of the contracts that are deployed without Hardhat, below contracts/, and names of the exported ABIs. */
const abiNames = {
  AppRegistry: "appRegistryAbi",
  AppMetadata: "appMetadataAbi",
  ResolverWithStore: "resolverAbi",
};
const compiledPaths = [...Object.keys(abiNames), "examples/OwnableService", "mocks/SignatureWallet"];

const COMPILED_FILE = "contracts/compiled.json";

/**
 * Compiles the contracts without their Solidity tests, and generates the ethers bindings in packages/sdk/generated.
 * @throws Error with the end of the compiler's output.
 */
export const compileContracts = () => run("hardhat", ["build", "--quiet", "--no-tests"]);

/** Compiles the contracts and writes the committed files of {@link readCompiled}. */
export async function buildContracts(): Promise<void> {
  await compileContracts();
  for (const [path, text] of Object.entries(await readCompiled()))
    await writeFile(join(rootDirectory, path), text);
}

/** Returns true if the committed files come from the current sources, so that nothing needs to be compiled. */
export async function isCompiled(directory = rootDirectory): Promise<boolean> {
  const text = await readFile(join(directory, COMPILED_FILE), "utf8");
  return JSON.parse(text).sources === (await hashSources(directory));
}

/**
 * Returns the texts of the committed files by path, from the compiler's last output: the ABIs and bytecode with which
 * the local stack and the tests start without a compiler, and the ABIs as const, for the types of viem and wagmi, and
 * without bytecode, for a small browser bundle.
 */
export async function readCompiled(): Promise<Record<string, string>> {
  const contracts: Record<string, { abi: unknown; bytecode: string }> = {};
  for (const path of compiledPaths) {
    const file = join(rootDirectory, `artifacts/contracts/${path}.sol/${path.split("/").at(-1)}.json`);
    const { abi, bytecode } = JSON.parse(await readFile(file, "utf8"), withoutInternalTypes);
    contracts[path] = { abi, bytecode };
  }
  const exports = Object.entries(abiNames).map(
    ([path, name]) => `export const ${name} = ${JSON.stringify(contracts[path]?.abi)} as const;\n`,
  );
  return {
    [COMPILED_FILE]: `${JSON.stringify({ sources: await hashSources(rootDirectory), contracts }, null, 2)}\n`,
    "packages/sdk/src/abi/compiled.ts": exports.join(""),
  };
}

/** Hashes the compiler's input: the sources, the configuration, and the versions of the packages. */
async function hashSources(directory: string): Promise<string> {
  const { devDependencies } = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
  const packages = ["@openzeppelin/contracts", "solady", "solc"].map((name) => devDependencies[name]);
  const hash = createHash("sha256").update(packages.join());
  const sources = globSync("contracts/**/*.sol", { cwd: directory }).sort();
  for (const path of ["hardhat.config.ts", ...sources])
    hash.update(path).update(await readFile(join(directory, path)));
  return hash.digest("hex");
}

/** Removes the compiler's internal type names, which are a quarter of an ABI and unused. */
const withoutInternalTypes = (key: string, value: unknown) => (key === "internalType" ? undefined : value);
