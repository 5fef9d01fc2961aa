import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, writeFileSync } from "node:fs";

/** What a person's shell has besides PATH, HOME and a terminal: proxies and certificates of this network. */
const NETWORK =
  /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|CURL_CA_BUNDLE|GIT_SSL_CAINFO)$/i;

/** A shell in an empty folder with an empty HOME. The next block finds what a block sets. */
export class Shell {
  readonly #folder: string;
  readonly #state: string;
  readonly #environment: Record<string, string | undefined>;
  readonly #terminals = new Map<string, ChildProcess>();

  /** @param folder An empty folder; the state of the shell is kept beside it. */
  constructor(folder: string, home: string, variables: Record<string, string>) {
    this.#folder = folder;
    this.#state = `${folder}.state`;
    writeFileSync(this.#state, `cd '${folder}'\n`);
    const network = Object.entries(process.env).filter(([name]) => NETWORK.test(name));
    // The machine's own programs, without those of the repository.
    const programs = (process.env.PATH ?? "").split(":").filter((path) => !path.includes("node_modules"));
    const own = { PATH: programs.join(":"), HOME: home, LANG: "C.UTF-8" };
    this.#environment = { ...Object.fromEntries(network), ...own, ...variables };
  }

  /** Runs a block to its end, and stops at the first command that fails. */
  async run(commands: string): Promise<{ code: number; output: string; seconds: number }> {
    const startedAt = Date.now();
    const child = this.#spawn(
      `${commands}\n{ echo "cd '$PWD'"; umask -p; declare -f; export -p | grep -v '^declare -[a-z]*r'; } > '${this.#state}'`,
      "pipe",
    );
    const chunks: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => chunks.push(String(chunk)));
    const [code] = await once(child, "close");
    return { code: code ?? 1, output: chunks.join(""), seconds: (Date.now() - startedAt) / 1_000 };
  }

  /** Starts a block that runs on, as in a terminal of that name. Its output goes to a file beside the folder. */
  start(terminal: string, commands: string): void {
    this.#terminals.set(terminal, this.#spawn(commands, openSync(`${this.#folder}.${terminal}.log`, "a")));
  }

  /** Presses Ctrl-C in a terminal, waits until what runs there has ended, and returns its exit code. */
  async interrupt(terminal: string): Promise<number | null> {
    const child = this.#terminals.get(terminal);
    if (!child?.pid) throw new Error(`Nothing runs in the ${terminal} terminal`);
    this.#terminals.delete(terminal);
    if (child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, "SIGINT");
      await once(child, "close");
    }
    return child.exitCode;
  }

  /** Ends what runs in all terminals. */
  async close(): Promise<void> {
    for (const terminal of [...this.#terminals.keys()]) await this.interrupt(terminal);
  }

  /** Starts bash in a process group of its own, as a terminal does. */
  #spawn(commands: string, output: "pipe" | number): ChildProcess {
    return spawn("bash", ["--noprofile", "--norc", "-eac", `. '${this.#state}'\n${commands}`], {
      cwd: this.#folder,
      env: this.#environment,
      stdio: ["ignore", output, output],
      detached: true,
    });
  }
}
