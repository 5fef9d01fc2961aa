import assert from "node:assert/strict";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { rootDirectory, run, stopServices } from "../stack/processes.ts";
import { findPostgres, NOT_HERE, startPostgres, startTestnet } from "./machine.ts";
import { type Block, listBlocks } from "./page.ts";
import { checkRestored } from "./restored.ts";
import { Shell } from "./shell.ts";

/**
 * `pnpm operate`: Follows docs/operate.md word for word, in an empty folder with an empty HOME, with Anvil as the
 * testnet and this machine's PostgreSQL. Prints every command with its output.
 */
const PUBLIC_ADDRESS = "https://github.com/app-registry/app-registry.git";
const WEB = "http://localhost:3000";

const startedAt = Date.now();
const say = (text: string) =>
  console.log(`${((Date.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s  ${text}`);
const print = (text: string, mark: string) =>
  console.log(text.trimEnd().replaceAll(/^/gm, `        ${mark} `));

async function rehearse(postgresBinary: string): Promise<void> {
  const directory = join(rootDirectory, ".local/rehearsals/operate");
  await rm(directory, { recursive: true, force: true });
  const [folder, home, logs] = [join(directory, "folder"), join(directory, "home"), join(directory, "logs")];
  for (const path of [folder, home, logs]) await mkdir(path, { recursive: true });
  const data = `/tmp/app-registry-rehearsal-${process.pid}`;

  const postgres = await startPostgres(postgresBinary, data, logs);
  const testnet = await startTestnet(logs);
  const shell = new Shell(folder, home, {
    // The only substitution: git uses this repository in place of the public address.
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: `url.${rootDirectory}.insteadOf`,
    GIT_CONFIG_VALUE_0: PUBLIC_ADDRESS,
    GIT_CONFIG_KEY_1: "safe.directory",
    GIT_CONFIG_VALUE_1: "*",
  });
  await shell.open();

  const services = `export DATABASE_URL=${postgres.url} PUBLIC_URL=${WEB}`;
  const ownValues = `${services}\nexport RPC_URL=${testnet.url} PUBLIC_RPC_URL=${testnet.url}`;
  const restored = checkRestored(shell, testnet, postgres, WEB);
  say(
    `docs/operate.md of ${(await run("git", ["rev-parse", "HEAD"])).trim()}, in the empty folder ${folder}`,
  );

  /** Replacements for blocks that need outside access and that later blocks depend on. */
  const elsewhere: [has: string, act: () => Promise<unknown>][] = [
    ["createuser", postgres.createDatabase],
    ["Send the chain's currency", fund],
    ["dropdb", postgres.createDatabase],
  ];
  async function fund(): Promise<void> {
    const { output } = await shell.run("address_of deployer.key; address_of issuer.key");
    for (const address of output.trim().split("\n") as `0x${string}`[])
      await testnet.client.setBalance({ address, value: 10n ** 19n });
  }
  const before: [has: string, act: () => Promise<void>][] = [
    ["mkdir -p backup", restored.leaveWorkOpen],
    ["cp -p backup/registry.env", restored.forget],
  ];
  const after: [has: string, judge: (output: string) => unknown][] = [
    ["app-registry publish", (output) => assert.match(output, /The dataHash is attested/)],
    ["api/search?q=resolver", (output) => assert.match(output, /Resolver of this registry/)],
    ["pg_restore", restored.compare],
    ["Back up and restore\ncurl", restored.finish],
  ];

  async function follow({ heading, commands, mark }: Block): Promise<void> {
    if (mark.kind === "interrupt") {
      for (const terminal of mark.terminals)
        say(`[${terminal} terminal] Ctrl-C: ended with ${await shell.interrupt(terminal)}`);
      return;
    }
    const lines = mark.kind === "own values" ? ownValues : commands;
    say(`[${heading}] ${mark.kind}`);
    print(lines, mark.kind === "outside" ? "#" : "$");
    if (mark.kind === "outside") return void (await elsewhere.find(([has]) => commands.includes(has))?.[1]());
    if (mark.kind === "terminal") return shell.start(mark.terminal, commands);
    for (const [has, act] of before) if (commands.includes(has)) await act();
    const { code, output } = await shell.run(lines);
    print(output, " ");
    if (code !== 0) throw new Error(`The block ended with ${code}`);
    for (const [has, judge] of after) if (`${heading}\n${commands}`.includes(has)) await judge(output);
  }

  try {
    const page = await readFile(join(rootDirectory, "docs/operate.md"), "utf8");
    for (const block of listBlocks(page)) await follow(block);
  } finally {
    await shell.close();
    await stopServices();
    await rm(data, { recursive: true, force: true });
  }
}

const binary = findPostgres();
if (!binary) {
  console.error("This machine has no PostgreSQL. On Debian: apt-get install postgresql");
  process.exit(NOT_HERE);
}
await rehearse(binary);
