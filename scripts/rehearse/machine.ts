import { globSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import getPort from "get-port";
import pg from "pg";
import { createTestClient, http, publicActions, walletActions } from "viem";
import { run, startService, waitUntilReady } from "../stack/processes.ts";

const SECONDS = 60;
const PASSWORD = "rehearsal";

/** Exit code of a rehearsal for which this machine lacks a program. */
export const NOT_HERE = 3;

/** This machine lacks a program that a rehearsal needs. */
export class MissingProgramError extends Error {
  override readonly name = "MissingProgramError";
}

/** Prints why a rehearsal failed, and chooses its exit code. */
export function failRehearsal(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof MissingProgramError ? NOT_HERE : 1;
}

/** The testnet whose place a local chain takes. */
export const TESTNET = 66_238;

/** Starts Anvil as a chain of that id, with a block a second and 20 funded accounts, and waits until it answers. */
export async function startAnvil(chainId: number, port: number, logDirectory: string) {
  const service = await startService({
    name: "anvil",
    command: "anvil",
    parameters: [
      ...["--port", String(port), "--chain-id", String(chainId)],
      ...["--block-time", "1", "--accounts", "20", "--silent"],
    ],
    logDirectory,
  });
  const url = `http://127.0.0.1:${port}`;
  const chain = {
    id: chainId,
    name: "anvil",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  };
  const client = createTestClient({ mode: "anvil", chain, transport: http(url), pollingInterval: 200 })
    .extend(publicActions)
    .extend(walletActions);
  await waitUntilReady(service, SECONDS, async () => (await client.getChainId()) === chainId);
  return { url, service, client };
}

/** A PostgreSQL of this machine's own version, whose pg_dump and psql can read it. */
export interface Postgres {
  /** Connects as the role that owns the services' database. */
  url: string;
  /** Creates the services' role and an empty database of its own. A database that is there is dropped first. */
  createDatabase(): Promise<void>;
  query<Row extends object>(sql: string): Promise<Row[]>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/**
 * Starts a cluster of this machine's PostgreSQL in a folder of its own.
 * @throws {MissingProgramError} When the machine has none.
 */
export async function startPostgres(directory: string, logDirectory: string): Promise<Postgres> {
  const binary = globSync("/usr/lib/postgresql/*/bin/postgres").sort().at(-1);
  if (!binary)
    throw new MissingProgramError("This machine has no PostgreSQL. On Debian: apt-get install postgresql");
  const port = await getPort();
  const data = join(directory, "data");
  await mkdir(directory, { recursive: true });
  const passwordFile = join(directory, "password");
  await writeFile(passwordFile, PASSWORD);
  await chmod(passwordFile, 0o644);
  // A server refuses to run as root.
  const asServer = process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--"] : [];
  if (asServer.length > 0) await run("chown", ["-R", "postgres", directory]);
  const [initialise = "", ...before] = [...asServer, join(dirname(binary), "initdb")];
  const initdb = ["--auth=scram-sha-256", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8"];
  await run(initialise, [...before, ...initdb, `--pwfile=${passwordFile}`, "--pgdata", data]);

  const urlOf = (user: string, database: string) =>
    `postgresql://${user}:${PASSWORD}@127.0.0.1:${port}/${database}`;
  const query = async <Row extends object>(sql: string, url = urlOf("postgres", "app_registry")) => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const administer = (sql: string) => query(sql, urlOf("postgres", "postgres"));

  let service: Awaited<ReturnType<typeof startService>> | undefined;
  const start = async () => {
    const [command = "", ...parameters] = [...asServer, binary];
    service = await startService({
      name: "postgres",
      command,
      parameters: [...parameters, "-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", directory],
      logDirectory,
    });
    await waitUntilReady(service, SECONDS, () => administer("select 1").then(() => true));
  };
  await start();
  return {
    url: urlOf("app_registry", "app_registry"),
    query,
    start,
    stop: async () => service?.stop(),
    async createDatabase() {
      await administer("drop database if exists app_registry with (force)");
      await administer("drop role if exists app_registry");
      await administer(`create role app_registry login password '${PASSWORD}'`);
      await administer("create database app_registry owner app_registry");
    },
  };
}
