import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AppRegistryClient, hashDocument, traitHash } from "@app-registry/sdk";
import { type DidHost, startDidHost } from "@app-registry/test-kit/didHost";
import { startPostgres } from "@app-registry/test-kit/postgres";
import { expect } from "chai";
import getPort from "get-port";
import { type Account, createTestClient, type Hex, http, parseEther, publicActions } from "viem";
import { hardhat } from "viem/chains";
import { localClient } from "../../scripts/stack/client.ts";
import { createScratchFolder } from "../../scripts/stack/postgres.ts";
import { capture, rootDirectory, stopServices } from "../../scripts/stack/processes.ts";
import { deployContracts, startNode } from "../../scripts/stack/stack.ts";

/** Returns the commands of docs/keys.md by the names in the comments before them, and the number of its blocks. */
export async function readRunbook(): Promise<{ commands: Map<string, string>; blocks: number }> {
  const page = await readFile(join(rootDirectory, "docs/keys.md"), "utf8");
  const named = page.matchAll(/<!-- (\w+: \w+) -->\n```sh\n(.+)\n```/g);
  const commands = new Map(Array.from(named, ([, name = "", command = ""]) => [name, command]));
  return { commands, blocks: page.split("```sh").length - 1 };
}

/** Local chain with a fresh deployment, on which the commands of docs/keys.md run. */
export type Runbook = Awaited<ReturnType<typeof startRunbook>>;

/** Starts the chain, deploys the contracts, and starts PostgreSQL and a host for the publishers' did.json. */
export async function startRunbook() {
  const folder = await mkdtemp(join(tmpdir(), "runbook-"));
  const directory = await createScratchFolder("runbook-postgres-");
  const [host, postgres] = await Promise.all([startDidHost(), startPostgres({ directory })]);
  const { commands } = await readRunbook();
  const { url: rpcUrl } = await startNode(await getPort(), folder);
  const deploymentFile = join(folder, "31337.json");
  const deployed = await deployContracts(rpcUrl, deploymentFile);
  const transport = http(rpcUrl);
  const chain = createTestClient({ chain: hardhat, mode: "hardhat", transport }).extend(publicActions);
  /** Settings of a web process on this chain. */
  const settings = { ...deployed, DATABASE_URL: postgres.url, ALLOW_LOOPBACK_DIDS: "true" };
  return {
    ...{ host, settings },
    clientOf: (account: Account) => localClient({ rpcUrl, deploymentFile }, account),
    fund: (address: Hex) => chain.setBalance({ address, value: parseEther("10") }),
    now: async () => (await chain.getBlock()).timestamp,
    async pass(seconds: number) {
      await chain.increaseTime({ seconds });
      await chain.mine({ blocks: 1 });
    },
    /** Writes the environment file of a `start` with its own PostgreSQL and a key in a file, and returns its path. */
    async writeEnvironment(key: Hex) {
      const path = join(folder, "web.env");
      await writeFile(`${path}.key`, `${key}\n`, { mode: 0o400 });
      const own = { DATABASE_URL: "", POSTGRES_DIR: directory, ISSUER_PRIVATE_KEY_FILE: `${path}.key` };
      const all = Object.entries({ ...settings, ...own });
      await writeFile(path, all.map(([name, value]) => `${name}=${value}\n`).join(""));
      return path;
    },
    /** Runs a command of the page, and returns its output. */
    async run(name: string, variables: Record<string, string>) {
      const command = commands.get(name);
      if (!command) throw new Error(`docs/keys.md has no command ${name}`);
      // Skip pnpm, which would only build the contracts again.
      const local = command.replace("npx -y pnpm@10 run issuers", "node scripts/issuers.ts");
      // Hardhat's keystore does not fall back to the environment while HH_TEST is set.
      const { code, output } = await capture("env", ["-u", "HH_TEST", "bash", "-euc", local], {
        environment: {
          NETWORK: "localhost",
          LOCAL_RPC_URL: rpcUrl,
          DEPLOYMENT_FILE: deploymentFile,
          ...variables,
        },
      });
      expect(code, `${local}\n${output}`).to.equal(0);
      return output;
    },
    async stop() {
      await Promise.all([stopServices(), host.close(), postgres.stop()]);
      for (const path of [folder, directory]) await rm(path, { recursive: true });
    },
  };
}

/** Registers version 1.0.0 of a DID, and returns its dataHash. */
export async function register(client: AppRegistryClient, host: DidHost, did: string): Promise<Hex> {
  const metadata = { name: did, traits: ["api:rest"] };
  const { canonical, dataHash } = hashDocument(JSON.stringify(metadata), 0);
  const path = `/${did.split(":").at(-1)}/metadata.json`;
  host.put(path, canonical);
  const hash = await client.mint({
    ...{ did, interfaces: 2, dataUrl: host.origin + path, dataHash, dataHashAlgorithm: 0 },
    version: { major: 1, minor: 0, patch: 0 },
    traitHashes: metadata.traits.map(traitHash),
    metadataJson: canonical,
  });
  await client.waitForReceipt({ hash });
  return dataHash;
}
