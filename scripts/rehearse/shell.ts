import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What a person's shell has besides PATH, HOME and a terminal: proxies and certificates of this network. */
const NETWORK =
  /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|CURL_CA_BUNDLE|GIT_SSL_CAINFO)$/i;

/** What a command printed, and how it ended. */
export type Ran = { code: number; output: string; seconds: number };

/** A shell in an empty folder with an empty HOME; what a block sets is there for the next one. */
export class Shell {
  readonly #folder: string;
  readonly #environment: Record<string, string>;
  readonly #terminals = new Map<string, ChildProcess>();

  /** @param folder An empty one; the state of the shell is kept beside it. */
  constructor(folder: string, home: string, more: Record<string, string> = {}) {
    this.#folder = folder;
    const network = Object.entries(process.env).filter(([name]) => NETWORK.test(name)) as [string, string][];
    this.#environment = {
      ...Object.fromEntries(network),
      PATH: machinePath(),
      HOME: home,
      LANG: "C.UTF-8",
      ...more,
    };
  }

  get #state(): string {
    return `${this.#folder}.state`;
  }

  async open(): Promise<void> {
    await writeFile(this.#state, `cd '${this.#folder}'\n`);
  }

  /** Runs a block to its end, and stops at the first command that fails. */
  async run(commands: string): Promise<Ran> {
    const startedAt = Date.now();
    const child = this.#spawn(
      `${commands}\n{ echo "cd '$PWD'"; umask -p; declare -f; export -p | grep -v '^declare -[a-z]*r'; } > '${this.#state}'`,
    );
    const chunks: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => chunks.push(String(chunk)));
    const code = await ended(child);
    return { code, output: chunks.join(""), seconds: (Date.now() - startedAt) / 1_000 };
  }

  /** Starts a block that runs on, as in a terminal of that name. Its output goes to a file beside the folder. */
  start(terminal: string, commands: string): void {
    const child = this.#spawn(commands);
    const log = createWriteStream(this.logOf(terminal), { flags: "a" });
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    this.#terminals.set(terminal, child);
  }

  logOf(terminal: string): string {
    return `${this.#folder}.${terminal}.log`;
  }

  /** Presses Ctrl-C in a terminal, and waits until what runs there has ended. */
  async interrupt(terminal: string): Promise<number> {
    const child = this.#terminals.get(terminal);
    if (!child?.pid) throw new Error(`Nothing runs in the ${terminal} terminal`);
    this.#terminals.delete(terminal);
    const end = ended(child);
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, "SIGINT");
    return end;
  }

  /** Ends what runs in all terminals. */
  async close(): Promise<void> {
    for (const terminal of [...this.#terminals.keys()]) await this.interrupt(terminal);
  }

  /** A variable, as the last block left it. */
  async variable(name: string): Promise<string> {
    const { output } = await this.run(`printf %s "$${name}"`);
    return output;
  }

  /** In a process group of its own, as a terminal gives it. */
  #spawn(commands: string): ChildProcess {
    return spawn("bash", ["--noprofile", "--norc", "-eac", `. '${this.#state}'\n${commands}`], {
      cwd: this.#folder,
      env: this.#environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
  }
}

/** Where this machine's own programs are, without those of the repository. */
const machinePath = () =>
  (process.env.PATH ?? "")
    .split(":")
    .filter((folder) => !folder.includes("node_modules"))
    .join(":");

const ended = (child: ChildProcess): Promise<number> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode ?? 1)
    : new Promise((resolve, reject) => {
        child.on("error", reject);
        child.on("close", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 1)));
      });

/** The page of documentation whose commands a rehearsal runs. */
export const readPage = (rootDirectory: string, path: string) => readFile(join(rootDirectory, path), "utf8");
