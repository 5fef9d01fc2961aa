import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRegistryService } from "@app-registry/test-kit/registryService";
import { createTestRegistry, restMetadata } from "@app-registry/test-kit/testRegistry";
import { type Address, type Hex, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { inject } from "vitest";
import { runCli } from "./runCli.ts";

/** Funded account with its key. */
export type Key = { key: Hex; address: Address };

/** Registry with its web service, and functions that run the CLI on it. */
export type CliFixture = Awaited<ReturnType<typeof createCliFixture>>;

export async function createCliFixture() {
  const registry = await createTestRegistry();
  const service = await startRegistryService(registry);
  const directory = await mkdtemp(join(tmpdir(), "app-registry-"));
  const deploymentFile = join(directory, "deployment.json");
  await writeFile(deploymentFile, JSON.stringify(registry.deployment));
  let names = 0;
  /** Writes a file and returns its path. */
  const write = async (name: string, content: string) => {
    const file = join(directory, name);
    await writeFile(file, content);
    return file;
  };
  /** Creates a funded account. */
  const newKey = async (): Promise<Key> => {
    const key = generatePrivateKey();
    const { address } = privateKeyToAccount(key);
    await registry.chain.setBalance({ address, value: parseEther("10") });
    return { key, address };
  };
  /** Creates a did:web whose document contains the accounts. */
  const newDid = (...controllers: Key[]) =>
    service.did(`cli-${names++}`, ...controllers.map(({ address }) => address));
  /** Writes the metadata of a REST API. The name makes the content unique. */
  const writeMetadata = (name: string, extra?: object) =>
    write(`${name}.json`, JSON.stringify(restMetadata(name, extra)));
  /** Runs the command against the web service, signing with a key. */
  const cli = (args: readonly string[], key?: Key) =>
    runCli(args, {
      cwd: directory,
      environment: { APP_URL: service.baseUrl, ...(key && { PRIVATE_KEY: key.key }) },
    });

  return {
    ...{ registry, service, directory, newKey, newDid, write, writeMetadata, cli },
    /** Environment of a command that has only the chain and no web service. */
    chainOnly: { DEPLOYMENT_FILE: deploymentFile, RPC_URL: inject("rpcUrl") },
    /** Publishes 1.0.0 of a new DID with the metadata of a REST API, as its controller does. Returns the DID. */
    async publishNew(name: string, extra: (did: string) => object) {
      const key = await newKey();
      const did = newDid(key);
      const file = await writeMetadata(name, extra(did));
      const { code, stderr } = await cli(["publish", file, "--did", did, "--version", "1.0.0"], key);
      if (code !== 0) throw new Error(stderr);
      return did;
    },
    /** Returns the nonce of an account, which is the number of transactions it has sent. */
    nonce: ({ address }: Key) => registry.chain.getTransactionCount({ address }),
    async close() {
      await service.close();
      await rm(directory, { recursive: true });
    },
  };
}
