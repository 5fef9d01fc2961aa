import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";

/** Variables to pass to the shell besides PATH and HOME: proxies and certificates of this network. */
const NETWORK =
  /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|CURL_CA_BUNDLE|GIT_SSL_CAINFO)$/i;

/** Shell in an empty folder with an empty HOME. Each block sees the variables and functions of the blocks before. */
export class Shell {
  readonly #folder: string;
  readonly #environment: Record<string, string | undefined>;
  readonly #terminals = new Map<string, ChildProcess>();

  /** @param folder An empty folder; the state of the shell and its logs are next to it. */
  constructor(folder: string, home: string, more: Record<string, string>) {
    this.#folder = folder;
    const network = Object.entries(process.env).filter(([name]) => NETWORK.test(name));
    // Exclude the programs of this repository, so that the page's commands use only those of the machine.
    const folders = (process.env.PATH ?? "").split(":").filter((path) => !path.includes("node_modules"));
    const own = { PATH: folders.join(":"), HOME: home, LANG: "C.UTF-8" };
    this.#environment = { ...Object.fromEntries(network), ...own, ...more };
  }

  open = () => writeFile(`${this.#folder}.state`, `cd '${this.#folder}'\n`);

  /** Runs a block up to its end, or to the first command that fails. */
  async run(commands: string): Promise<{ code: number; output: string }> {
    const keep = `{ echo "cd '$PWD'"; umask -p; declare -f; export -p | grep -v '^declare -[a-z]*r'; }`;
    const child = this.#spawn(`${commands}\n${keep} > '${this.#folder}.state'`);
    let output = "";
    const collect = (chunk: unknown) => {
      output += chunk;
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    return { code: await ended(child), output };
  }

  /** Starts a block in a terminal of that name. */
  start(terminal: string, commands: string): void {
    const child = this.#spawn(commands);
    const log = createWriteStream(`${this.#folder}.${terminal}.log`, { flags: "a" });
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    this.#terminals.set(terminal, child);
  }

  /** Presses Ctrl-C in a terminal, and returns the exit code of the block. */
  async interrupt(terminal: string): Promise<number> {
    const child = this.#terminals.get(terminal);
    if (!child?.pid) throw new Error(`Nothing runs in the ${terminal} terminal`);
    this.#terminals.delete(terminal);
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, "SIGINT");
    return ended(child);
  }

  async close(): Promise<void> {
    for (const terminal of [...this.#terminals.keys()]) await this.interrupt(terminal);
  }

  /** Starts a new process group, like a terminal. */
  #spawn(commands: string): ChildProcess {
    const all = `. '${this.#folder}.state'\n${commands}`;
    return spawn("bash", ["--noprofile", "--norc", "-eac", all], {
      ...{ cwd: this.#folder, env: this.#environment, detached: true },
      stdio: ["ignore", "pipe", "pipe"],
    });
  }
}

async function ended(child: ChildProcess): Promise<number> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  return child.exitCode ?? 1;
}
