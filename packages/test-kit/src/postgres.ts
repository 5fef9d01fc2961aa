import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Pool } from "pg";
import { createScratchFolder, startPostgres as startEmbedded } from "../../../scripts/stack/postgres.ts";
import { freePort } from "./freePort.ts";
import { askServers } from "./servers.ts";

export type PostgresDatabase = {
  url: string;
  connect(): Pool;
  stop(): Promise<void>;
};

/** PostgreSQL server in separate processes. */
export type PostgresServer = PostgresDatabase & {
  /** Suspends its processes (SIGSTOP): connections stay open, and the server does not respond until `thaw`. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /**
   * Stops the server and starts it again on the same port. `immediate` stops it without a checkpoint, like a crash.
   *
   * @param whileDown Callback to run between stop and start.
   */
  restart(mode: "fast" | "immediate", whileDown?: () => Promise<void>): Promise<void>;
};

export type PostgresOptions = {
  /** Folder of the server, created if it is missing. Default: a new folder that is removed when the server stops. */
  directory?: string;
  /** Port of the server. Default: a free one. */
  port?: number;
  /** Settings of the server. Default: settings for disposable data. */
  settings?: Record<string, string>;
};

/** Creates an empty database in the PostgreSQL server that the suites of a test run share. */
export async function createDatabase(): Promise<PostgresDatabase> {
  const { url } = await askServers<{ url: string }>("/databases/create", {});
  return { url, connect: () => connect(url), stop: () => askServers("/databases/drop", { url }) };
}

function connect(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: 4 });
  // When the server stops, idle connections emit an error, which would end the process.
  pool.on("error", () => undefined);
  return pool;
}

/** Starts PostgreSQL. A new database is empty. */
export async function startPostgres({
  directory: given,
  port: givenPort,
  settings = { fsync: "off" },
}: PostgresOptions = {}): Promise<PostgresServer> {
  const directory = given ?? (await createScratchFolder("registry-postgres-"));
  const port = givenPort ?? (await freePort());
  const start = () => startEmbedded({ directory, port, settings });
  let service = await start();
  const { url } = service;
  return {
    url,
    connect: () => connect(url),
    freeze: () => signalServer(directory, "SIGSTOP"),
    thaw: () => signalServer(directory, "SIGCONT"),
    async restart(mode, whileDown) {
      if (mode === "immediate") {
        process.kill(await getPostmaster(directory), "SIGQUIT");
        await service.ended;
      } else await service.stop(STOP_GRACE);
      await whileDown?.();
      service = await start();
    },
    async stop() {
      await signalServer(directory, "SIGCONT").catch(() => undefined);
      await service.stop(STOP_GRACE);
      if (!given) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Time for the server to write a checkpoint when it stops, in milliseconds. */
const STOP_GRACE = 60_000;

const getPostmaster = async (directory: string) =>
  Number((await readFile(join(directory, "data/postmaster.pid"), "utf8")).split("\n", 1)[0]);

/** Sends a signal to a process, unless the process has ended. */
function signalProcess(processId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(processId, signal);
  } catch {
    // It has ended.
  }
}

/** Signals the server and the processes that serve its connections. */
async function signalServer(directory: string, signal: "SIGSTOP" | "SIGCONT"): Promise<void> {
  const postmaster = String(await getPostmaster(directory));
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // The state and the parent follow the name, which may contain spaces.
    const parent = state.slice(state.lastIndexOf(")")).split(" ")[2];
    if (pid === postmaster || parent === postmaster) signalProcess(Number(pid), signal);
  }
}
