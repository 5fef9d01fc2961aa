import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { rootDirectory, run, stopServices } from "../stack/processes.ts";
import { startAnvil, startPostgres } from "./machine.ts";
import { type Block, blocksOf } from "./page.ts";
import { restoreCheck, WEB } from "./restored.ts";
import { Shell } from "./shell.ts";

/**
 * `pnpm operate`: follows docs/operate.md word for word, in an empty folder with an empty HOME, against Anvil in the place
 * of the testnet and this machine's PostgreSQL. It prints every command with its output and time. Exits with 1 if a command
 * fails.
 */
const PUBLIC_ADDRESS = "https://github.com/app-registry/app-registry.git";

const startedAt = Date.now();
const say = (text: string) =>
  console.log(`${((Date.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s  ${text}`);
const print = (text: string, mark: string) =>
  console.log(text.trimEnd().replaceAll(/^/gm, `        ${mark} `));

async function walk(): Promise<void> {
  const directory = join(rootDirectory, ".local/operate");
  await rm(directory, { recursive: true, force: true });
  const [folder, home, logs] = [join(directory, "folder"), join(directory, "home"), join(directory, "logs")];
  for (const path of [folder, home, logs]) await mkdir(path, { recursive: true });
  const postgres = await startPostgres(`/tmp/app-registry-operate-${process.pid}`, logs);
  const testnet = await startAnvil(8_545, logs);
  const shell = new Shell(folder, home, {
    // The one substitution: git reads the public address from this repository.
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: `url.${rootDirectory}.insteadOf`,
    GIT_CONFIG_VALUE_0: PUBLIC_ADDRESS,
    GIT_CONFIG_KEY_1: "safe.directory",
    GIT_CONFIG_VALUE_1: "*",
  });
  const restored = restoreCheck(shell, testnet, postgres);
  const revision = (await run("git", ["rev-parse", "HEAD"])).trim();
  say(`docs/operate.md of ${revision}, in the empty folder ${folder}`);

  const ownValues = [
    ...[`RPC_URL=${testnet.url}`, `PUBLIC_RPC_URL=${testnet.url}`],
    ...[`PUBLIC_URL=${WEB}`, `DATABASE_URL=${postgres.url}`],
  ].map((line) => `export ${line}`);
  /** What a person does elsewhere, for the blocks without which the rest can't work. */
  const elsewhere: Record<string, () => Promise<unknown>> = {
    createuser: postgres.createDatabase,
    dropdb: postgres.createDatabase,
    "Send the chain's currency": async () => {
      const { output } = await shell.run("address_of deployer.key; address_of issuer.key");
      for (const address of output.trim().split("\n") as `0x${string}`[]) {
        await testnet.client.setBalance({ address, value: 10n ** 19n });
      }
    },
  };
  /** What is done before a block, and checked after it. */
  const before: Record<string, () => Promise<unknown>> = {
    "mkdir -p backup": restored.leaveWorkOpen,
    "cp -p backup/registry.env": restored.forget,
  };
  const after: Record<string, (output: string) => unknown> = {
    "app-registry publish": mustSay("Its dataHash is attested"),
    "api/search?q=resolver": mustSay("Resolver of this registry"),
    pg_restore: restored.compare,
    "Back up and restore\ncurl": restored.finish,
  };

  async function follow({ heading, commands, mark }: Block): Promise<void> {
    const named = `${heading}\n${commands}`;
    const found = <T>(table: Record<string, T>) =>
      Object.keys(table)
        .filter((text) => named.includes(text))
        .map((text) => table[text] as T);
    if (mark.kind === "interrupt") {
      for (const terminal of mark.terminals) {
        say(`[${terminal} terminal] Ctrl-C: ended with ${await shell.interrupt(terminal)}`);
      }
      return;
    }
    say(`[${heading}] ${mark.kind}`);
    if (mark.kind === "outside") {
      print(commands, "#");
      for (const act of found(elsewhere)) await act();
      return;
    }
    const text = mark.kind === "own values" ? ownValues.join("\n") : commands;
    for (const act of found(before)) await act();
    print(text, "$");
    if (mark.kind === "terminal") return shell.start(mark.terminal, text);
    const { code, output, seconds } = await shell.run(text);
    // A block can print thousands of lines of metrics or packages.
    print(output.trimEnd().split("\n").slice(-40).join("\n"), " ");
    say(`took ${seconds.toFixed(1)} s`);
    if (code !== 0) throw new Error(`The block ended with ${code}`);
    for (const check of found(after)) await check(output);
  }

  try {
    const blocks = blocksOf(await readFile(join(rootDirectory, "docs/operate.md"), "utf8"));
    for (const block of blocks) await follow(block);
    const outside = blocks.filter(({ mark }) => mark.kind === "outside").length;
    say(`Done: ${blocks.length - outside} blocks were run, ${outside} need outside access.`);
  } finally {
    await shell.close();
    await stopServices();
    await rm(`/tmp/app-registry-operate-${process.pid}`, { recursive: true, force: true });
  }
}

const mustSay = (words: string) => (output: string) => {
  if (!output.includes(words)) throw new Error(`The output does not say "${words}"`);
};

await walk().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
