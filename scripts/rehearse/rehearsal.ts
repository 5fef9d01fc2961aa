import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AppRegistryClient, hashDocument, traitHash } from "@app-registry/sdk";
import getPort from "get-port";
import {
  type Account,
  createTestClient,
  type Hex,
  http,
  parseEther,
  publicActions,
  type TestClient,
} from "viem";
import { hardhat } from "viem/chains";
import { type DidHost, startDidHost } from "../../packages/issuer/test/support/didHost.ts";
import { deployContracts, startNode } from "../stack/chain.ts";
import { localClient } from "../stack/client.ts";
import { capture, rootDirectory, stopServices } from "../stack/processes.ts";

/** A local chain with a fresh deployment, on which the commands of docs/keys.md run. */
export interface Rehearsal {
  chain: TestClient;
  /** Serves the publishers' did.json. */
  host: DidHost;
  /** Environment of a web process on this chain. */
  webVariables: Record<string, string>;
  clientOf(account: Account): Promise<AppRegistryClient>;
  /** Gives an account some currency. */
  fund(address: Hex): Promise<void>;
  /** The chain's time, Unix seconds. */
  now(): Promise<bigint>;
  pass(seconds: number): Promise<void>;
  /** Writes a web process's environment with a key in a file; gives its path. */
  writeEnvironment(key: Hex, variables?: Record<string, string>): Promise<string>;
  /** Prints a numbered step. */
  step(message: string): void;
  /** Runs a command of the page, prints it with its output, and gives the output. */
  run(name: string, variables: Record<string, string>): Promise<string>;
}

/** Runs a rehearsal, and ends what it started whatever becomes of it. */
export async function rehearse(script: (rehearsal: Rehearsal) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "rehearsal-"));
  const host = await startDidHost();
  try {
    await script(await prepare(folder, host));
  } finally {
    await Promise.all([stopServices(), host.close()]);
    await rm(folder, { recursive: true });
  }
}

async function prepare(folder: string, host: DidHost): Promise<Rehearsal> {
  const page = await readFile(join(rootDirectory, "docs/keys.md"), "utf8");
  const { url: rpcUrl } = await startNode(await getPort(), folder);
  const deploymentFile = join(folder, "31337.json");
  await deployContracts(rpcUrl, deploymentFile);
  const chain = createTestClient({ chain: hardhat, mode: "hardhat", transport: http(rpcUrl) }).extend(
    publicActions,
  );
  const webVariables = {
    ...{ CHAIN_ID: "31337", RPC_URL: rpcUrl, DEPLOYMENT_FILE: deploymentFile, ALLOW_LOOPBACK_DIDS: "true" },
  };
  let steps = 0;
  let files = 0;
  return {
    ...{ chain, host, webVariables },
    clientOf: (account) => localClient({ rpcUrl, deploymentFile }, account),
    fund: (address) => chain.setBalance({ address, value: parseEther("10") }),
    now: async () => (await chain.getBlock()).timestamp,
    async pass(seconds) {
      await chain.increaseTime({ seconds });
      await chain.mine({ blocks: 1 });
    },
    async writeEnvironment(key, variables = {}) {
      const path = join(folder, `web-${files++}`);
      await writeFile(`${path}.key`, `${key}\n`, { mode: 0o400 });
      const all = { ...webVariables, ISSUER_PRIVATE_KEY_FILE: `${path}.key`, ...variables };
      await writeFile(
        path,
        Object.entries(all)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(""),
      );
      return path;
    },
    step: (message) => console.log(`\n${++steps}. ${message}`),
    async run(name, variables) {
      const command = commandOf(page, name);
      const given: Record<string, string> = { NETWORK: "localhost", ...variables };
      console.log(`   $ ${command.replaceAll(/\$(\w+)/g, (text, variable) => given[variable] ?? text)}`);
      // The contracts are built, and pnpm adds nothing else to the command.
      const local = command.replace("npx -y pnpm@10 run issuers", "node scripts/issuers.ts");
      const environment = { LOCAL_RPC_URL: rpcUrl, DEPLOYMENT_FILE: deploymentFile };
      const { code, output } = await capture("bash", ["-euc", local], {
        environment: { ...environment, ...given },
      });
      console.log(output.trimEnd().replaceAll(/^/gm, "     "));
      if (code !== 0) throw new Error(`The command of step ${steps} ended with ${code}`);
      return output;
    },
  };
}

/** The command of docs/keys.md under a name, which stands in a comment before it. */
function commandOf(page: string, name: string): string {
  const [, command] = new RegExp(`<!-- ${name} -->\\n\`\`\`sh\\n(.+)\\n\`\`\``).exec(page) ?? [];
  if (!command) throw new Error(`docs/keys.md has no command ${name}`);
  return command;
}

/** Registers 1.0.0 of a DID whose controller counts; gives the dataHash. */
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
