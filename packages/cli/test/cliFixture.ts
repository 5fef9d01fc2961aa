import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RegistryService, startRegistryService } from "@app-registry/test-kit/registryService";
import { createTestRegistry, restMetadata, type TestRegistry } from "@app-registry/test-kit/testRegistry";
import { type Address, type Hex, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { inject } from "vitest";
import { type CliResult, runCli } from "./runCli.ts";

/** Funded account with its key. */
export type Key = { key: Hex; address: Address };

/** Registry with its web service, and functions that run the CLI on it. */
export type CliFixture = {
  registry: TestRegistry;
  service: RegistryService;
  /** Temporary folder of the fixture. */
  directory: string;
  /** Environment of a command that has only the chain and no web service. */
  chainOnly: Record<string, string>;
  newKey(): Promise<Key>;
  /** Creates a did:web whose document contains the accounts. */
  newDid(...controllers: Key[]): string;
  /** Writes a file and returns its path. */
  write(name: string, content: string): Promise<string>;
  /** Writes the metadata of a REST API. The name makes the content unique. */
  writeMetadata(name: string, extra?: object): Promise<string>;
  /** Publishes 1.0.0 of a new DID with the metadata of a REST API, as its controller does. Returns the DID. */
  publishNew(name: string, extra: (did: string) => object): Promise<string>;
  /** Runs the command against the web service, signing with a key. */
  cli(args: readonly string[], key?: Key): Promise<CliResult>;
  /** Returns the nonce of an account, which is the number of transactions it has sent. */
  nonce(key: Key): Promise<number>;
  close(): Promise<void>;
};

export async function createCliFixture(): Promise<CliFixture> {
  const registry = await createTestRegistry();
  const service = await startRegistryService(registry);
  const directory = await mkdtemp(join(tmpdir(), "app-registry-"));
  const deploymentFile = join(directory, "deployment.json");
  await writeFile(deploymentFile, JSON.stringify(registry.deployment));
  let names = 0;
  const write = async (name: string, content: string) => {
    const file = join(directory, name);
    await writeFile(file, content);
    return file;
  };
  const fixture: CliFixture = {
    registry,
    service,
    directory,
    chainOnly: { DEPLOYMENT_FILE: deploymentFile, RPC_URL: inject("rpcUrl") },
    async newKey() {
      const key = generatePrivateKey();
      const { address } = privateKeyToAccount(key);
      await registry.chain.setBalance({ address, value: parseEther("10") });
      return { key, address };
    },
    newDid: (...controllers) => service.did(`cli-${names++}`, ...controllers.map(({ address }) => address)),
    write,
    writeMetadata: (name, extra) => write(`${name}.json`, JSON.stringify(restMetadata(name, extra))),
    async publishNew(name, extra) {
      const key = await fixture.newKey();
      const did = fixture.newDid(key);
      const file = await fixture.writeMetadata(name, extra(did));
      const { code, stderr } = await fixture.cli(["publish", file, "--did", did, "--version", "1.0.0"], key);
      if (code !== 0) throw new Error(stderr);
      return did;
    },
    cli: (args, key) =>
      runCli(args, {
        cwd: directory,
        environment: { APP_URL: service.baseUrl, ...(key && { PRIVATE_KEY: key.key }) },
      }),
    nonce: ({ address }) => registry.chain.getTransactionCount({ address }),
    async close() {
      await service.close();
      await rm(directory, { recursive: true });
    },
  };
  return fixture;
}
