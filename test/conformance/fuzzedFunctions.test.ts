import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { appMetadataAbi, appRegistryAbi } from "../../packages/sdk/src/abi/index.ts";
import { rootDirectory } from "../../scripts/stack/processes.ts";

/**
 * ABI and fuzz tests of each contract. Each function, and each overload, has a test `testFuzz_<function>`. The resolver
 * isn't here: the random histories of test/model call its functions and compare them with a model.
 */
const contracts = {
  AppRegistry: { abi: appRegistryAbi, files: "test/solidity/fuzz/Registry*.t.sol" },
  AppMetadata: { abi: appMetadataAbi, files: "test/solidity/fuzz/MetadataStore.t.sol" },
};

async function readFuzzTests(pattern: string): Promise<string[]> {
  const files = globSync(pattern, { cwd: rootDirectory });
  const sources = await Promise.all(files.map((file) => readFile(join(rootDirectory, file), "utf8")));
  return sources.flatMap((source) =>
    [...source.matchAll(/function testFuzz_(\w+)\(/g)].map(([, name]) => name ?? ""),
  );
}

describe("Fuzz tests", () => {
  for (const [contract, { abi, files }] of Object.entries(contracts)) {
    it(`cover each external function of ${contract}`, async () => {
      const tested = await readFuzzTests(files);
      const functions = abi.flatMap((entry) => (entry.type === "function" ? [entry.name] : []));
      const missing = [...new Set(functions)].filter((name) => {
        const own = tested.filter((test) => test === name || test.startsWith(`${name}_`));
        return own.length < functions.filter((other) => other === name).length;
      });
      expect(functions).not.to.have.lengthOf(0);
      expect(missing).to.deep.equal([]);
    });
  }
});
