import { type ChildProcess, fork } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rootDirectory } from "../stack/processes.ts";
import type { Message, Task } from "./worker.ts";

export const workDirectory = join(rootDirectory, ".local/mutation");

/** What a test may take before it is ended, over what it takes without a fault. */
const PATIENCE = 20;
const LEAST_LIMIT_SECONDS = 180;

/** A task took longer than its limit. */
export class TimedOut extends Error {
  /** The test file that was running, if any. */
  readonly file: string | undefined;

  constructor(file: string | undefined) {
    super(`No end within the time limit: ${file ?? "starting"}`);
    this.name = "TimedOut";
    this.file = file;
  }
}

/** One process that compiles and tests, one task after the other. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #secondsOf: (file: string) => number;

  private constructor(child: ChildProcess, secondsOf: (file: string) => number) {
    this.#child = child;
    this.#secondsOf = secondsOf;
  }

  /** @param secondsOf What a test file takes without a fault. */
  static async start(name: string, secondsOf: (file: string) => number): Promise<WorkerProcess> {
    const log = await open(join(workDirectory, `${name}.log`), "w");
    const child = fork(fileURLToPath(new URL("worker.ts", import.meta.url)), [], {
      cwd: rootDirectory,
      stdio: ["ignore", log.fd, log.fd, "ipc"],
      env: {
        ...process.env,
        HARDHAT_CONFIG: join(rootDirectory, "scripts/mutation/hardhat.config.ts"),
        HARDHAT_DISABLE_TELEMETRY_PROMPT: "true",
        HH_TEST: "true",
        NODE_ENV: "test",
        MUTATION_WORKER: join(workDirectory, name),
      },
    });
    await log.close();
    const worker = new WorkerProcess(child, secondsOf);
    await worker.#receive("ready");
    return worker;
  }

  /** @throws {TimedOut} Then the process is ended. */
  async perform<Kind extends Message["kind"]>(task: Task, answer: Kind) {
    this.#child.send(task);
    return await this.#receive(answer, "file" in task ? task.file : undefined);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await ended;
  }

  #receive<Kind extends Message["kind"]>(kind: Kind, first?: string) {
    return new Promise<Extract<Message, { kind: Kind }>>((resolve, reject) => {
      let file = first;
      let timer: NodeJS.Timeout | undefined;
      const settle = (end: () => void) => {
        clearTimeout(timer);
        this.#child.off("message", onMessage).off("exit", onExit);
        end();
      };
      const watch = () => {
        clearTimeout(timer);
        const seconds = Math.max(LEAST_LIMIT_SECONDS, PATIENCE * (file ? this.#secondsOf(file) : 0));
        timer = setTimeout(
          () => settle(() => void this.stop().then(() => reject(new TimedOut(file)))),
          seconds * 1_000,
        );
      };
      const onMessage = (message: Message) => {
        if (message.kind === "step") {
          file = message.file;
          watch();
        } else if (message.kind === kind) {
          settle(() => resolve(message as Extract<Message, { kind: Kind }>));
        }
      };
      const onExit = (code: number | null) =>
        settle(() => reject(new Error(`A worker ended with ${code}; see its log in ${workDirectory}`)));
      this.#child.on("message", onMessage).on("exit", onExit);
      watch();
    });
  }
}
