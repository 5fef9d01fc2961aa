import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { rootDirectory, run, stopServices } from "../stack/processes.ts";
import { failRehearsal, startAnvil, startPostgres, TESTNET } from "./machine.ts";
import { type Block, blocksOf } from "./page.ts";
import { keepsWhatTheChainLacks } from "./restored.ts";
import { readPage, Shell } from "./shell.ts";

/**
 * `pnpm rehearse:operate`: follows docs/operate.md word for word, in an empty folder with an empty HOME, against Anvil in
 * the place of the testnet and this machine's PostgreSQL. It prints every command with its output and time.
 */
const PAGE = "docs/operate.md";
const PUBLIC_ADDRESS = "https://github.com/app-registry/app-registry.git";
/** Where the page's own commands expect the web app. */
const WEB = "http://localhost:3000";

const startedAt = Date.now();
const clock = () => `${((Date.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s`;
const say = (text: string) => console.log(`${clock()}  ${text}`);
const indent = (text: string, mark: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => `        ${mark} ${line}`)
    .join("\n");

/** Long output shows its ends; the middle is thousands of lines of metrics, or of packages. */
function shorten(output: string): string {
  const lines = output.trimEnd().split("\n");
  if (lines.length <= 40) return lines.join("\n");
  return [...lines.slice(0, 15), `… ${lines.length - 35} lines …`, ...lines.slice(-20)].join("\n");
}

async function rehearse(): Promise<void> {
  const directory = join(rootDirectory, ".local/rehearsals/operate");
  await rm(directory, { recursive: true, force: true });
  const [folder, home, logs] = ["folder", "home", "logs"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [folder, home, logs]) await mkdir(path, { recursive: true });

  const revision = (await run("git", ["rev-parse", "HEAD"])).trim();
  const postgres = await startPostgres(`/tmp/app-registry-rehearsal-${process.pid}`, logs);
  const testnet = await startAnvil(TESTNET, 8_545, logs);
  const shell = new Shell(folder, home, {
    // The one substitution: git reads the public address from this repository.
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: `url.${rootDirectory}.insteadOf`,
    GIT_CONFIG_VALUE_0: PUBLIC_ADDRESS,
    GIT_CONFIG_KEY_1: "safe.directory",
    GIT_CONFIG_VALUE_1: "*",
  });
  await shell.open();

  const values = {
    RPC_URL: testnet.url,
    PUBLIC_RPC_URL: testnet.url,
    PUBLIC_URL: WEB,
    DATABASE_URL: postgres.url,
  };
  const restored = keepsWhatTheChainLacks({ shell, testnet, postgres, webUrl: WEB, say });
  say(`${PAGE} of ${revision}, in the empty folder ${folder}, with the empty HOME ${home}`);
  say(`git reads ${PUBLIC_ADDRESS} from ${rootDirectory}; Anvil on ${testnet.url} is the testnet`);

  /** What a person does elsewhere, for the blocks without which the rest can't work. */
  const elsewhere: [has: string, what: string, act: () => Promise<unknown>][] = [
    ["createuser", "create the role and an empty database", () => postgres.createDatabase()],
    ["Send the chain's currency", "give both accounts 10 of the chain's currency", fund],
    ["dropdb", "drop the database and create an empty one", () => postgres.createDatabase()],
  ];
  async function fund(): Promise<void> {
    const { output } = await shell.run("address_of deployer.key; address_of issuer.key");
    for (const address of output.trim().split("\n") as `0x${string}`[]) {
      await testnet.client.setBalance({ address, value: 10n ** 19n });
    }
  }

  /** What is done and judged between two blocks. */
  const before: [has: string, act: () => Promise<unknown>][] = [
    ["mkdir -p backup", restored.leaveWorkOpen],
    ["cp -p backup/registry.env", restored.empty],
  ];
  const after: [has: string, judge: (output: string) => unknown][] = [
    ["app-registry publish", (output) => mustSay(output, "Its dataHash is attested")],
    ["api/search?q=resolver", (output) => mustSay(output, "Resolver of this registry")],
    ["pg_restore", restored.compare],
    ["Back up and restore\ncurl", restored.finish],
  ];

  async function follow(block: Block): Promise<void> {
    const { commands, mark } = block;
    if (mark.kind === "outside") {
      const found = elsewhere.find(([has]) => commands.includes(has));
      say(found ? `[outside access] done in its place: ${found[1]}` : "[outside access] left out:");
      console.log(indent(commands.split("\n").slice(1).join("\n"), "#"));
      return void (await found?.[2]());
    }
    if (mark.kind === "own values") {
      say("[own values]");
      const lines = Object.entries(values).map(([name, value]) => `export ${name}=${value}`);
      console.log(indent(lines.join("\n"), "$"));
      return void (await shell.run(lines.join("\n")));
    }
    if (mark.kind === "interrupt") {
      for (const terminal of mark.terminals) {
        const code = await shell.interrupt(terminal);
        say(`[${terminal} terminal] Ctrl-C: ended with ${code}; its log is ${shell.logOf(terminal)}`);
      }
      return;
    }
    if (mark.kind === "terminal") {
      say(`[${mark.terminal} terminal]`);
      console.log(indent(commands.split("\n").slice(1).join("\n"), "$"));
      return shell.start(mark.terminal, commands);
    }
    for (const [has, act] of before) if (commands.includes(has)) await act();
    say(`[${block.heading}]`);
    console.log(indent(commands, "$"));
    const { code, output, seconds } = await shell.run(commands);
    console.log(indent(shorten(output), " "));
    say(`took ${seconds.toFixed(1)} s`);
    if (code !== 0) throw new Error(`The block ended with ${code}`);
    const named = `${block.heading}\n${commands}`;
    for (const [has, judge] of after) if (named.includes(has)) await judge(output);
  }

  try {
    const blocks = blocksOf(await readPage(rootDirectory, PAGE));
    for (const block of blocks) await follow(block);
    const ran = blocks.filter(({ mark }) => mark.kind !== "outside").length;
    say(`Done: ${ran} blocks were run, ${blocks.length - ran} need outside access.`);
  } finally {
    await shell.close();
    await stopServices();
    await rm(`/tmp/app-registry-rehearsal-${process.pid}`, { recursive: true, force: true });
  }
}

function mustSay(output: string, words: string): void {
  if (!output.includes(words)) throw new Error(`The output does not say "${words}"`);
  say(`as it must, it says: ${words}`);
}

await rehearse().catch(failRehearsal);
