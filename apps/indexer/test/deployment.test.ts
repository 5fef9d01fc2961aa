import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AbiMismatchError } from "@app-registry/sdk";
import { zeroAddress, zeroHash } from "viem";
import { expect, it, onTestFinished } from "vitest";
import { computeAbiHash } from "../../../packages/sdk/src/deployment.ts";
import { capture, rootDirectory } from "../../../scripts/stack/processes.ts";

it("the indexer exits at its start with one sentence if the deployment's contracts have another ABI", async () => {
  const directory = await mkdtemp(join(tmpdir(), "indexer-deployment-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const DEPLOYMENT_FILE = join(directory, "deployment.json");
  const contract = (hash: string) => ({ address: zeroAddress, abiHash: hash });
  const deployment = {
    ...{ chainId: 31337, network: "localhost", deployBlock: 1 },
    contracts: {
      AppRegistry: contract(computeAbiHash("AppRegistry")),
      AppMetadata: contract(computeAbiHash("AppMetadata")),
      ResolverWithStore: contract(zeroHash),
    },
    compiler: { version: "0.8.30", settings: {} },
  };
  await writeFile(DEPLOYMENT_FILE, JSON.stringify(deployment));
  const { code, output } = await capture("node_modules/.bin/ponder", ["start", "--schema", "app_registry"], {
    directory: join(rootDirectory, "apps/indexer"),
    environment: { DEPLOYMENT_FILE, DATABASE_URL: "postgresql://127.0.0.1:9/none" },
  });
  expect(code).toBeGreaterThan(0);
  expect(output).toContain(new AbiMismatchError(["ResolverWithStore"]).message);
});
