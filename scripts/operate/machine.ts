import { globSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import getPort from "get-port";
import pg from "pg";
import { createTestClient, http, publicActions, walletActions } from "viem";
import { anvil } from "viem/chains";
import { run, startService, waitUntilReady } from "../stack/processes.ts";

const SECONDS = 60;

/** The testnet whose place a local chain takes. */
export const TESTNET = 66_238;

/** Starts Anvil in the testnet's place, with a block a second and 20 funded accounts, and waits until it answers. */
export async function startAnvil(port: number, logDirectory: string) {
  const service = await startService({
    name: "anvil",
    command: "anvil",
    parameters: [
      ...["--port", String(port), "--chain-id", String(TESTNET)],
      ...["--block-time", "1", "--accounts", "20", "--silent"],
    ],
    logDirectory,
  });
  const url = `http://127.0.0.1:${port}`;
  const chain = { ...anvil, id: TESTNET };
  const client = createTestClient({ mode: "anvil", chain, transport: http(url), pollingInterval: 200 })
    .extend(publicActions)
    .extend(walletActions);
  await waitUntilReady(service, SECONDS, async () => (await client.getChainId()) === TESTNET);
  return { url, client, service };
}

/** Starts a cluster of this machine's PostgreSQL, whose pg_dump and psql can read it, in a folder of its own. */
export async function startPostgres(directory: string, logDirectory: string) {
  const binary = globSync("/usr/lib/postgresql/*/bin/postgres").sort().at(-1);
  if (!binary) throw new Error("This machine has no PostgreSQL. On Debian: apt-get install postgresql");
  const port = await getPort();
  const data = join(directory, "data");
  await mkdir(directory, { recursive: true });
  // A server refuses to run as root.
  const asServer = process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--"] : [];
  if (asServer.length > 0) await run("chown", ["-R", "postgres", directory]);
  const [initialise = "", ...before] = [...asServer, join(dirname(binary), "initdb")];
  const initdb = ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8"];
  await run(initialise, [...before, ...initdb, "--pgdata", data]);

  const urlOf = (user: string, database: string) => `postgresql://${user}@127.0.0.1:${port}/${database}`;
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
  const [command = "", ...parameters] = [...asServer, binary];
  const service = await startService({
    name: "postgres",
    command,
    parameters: [...parameters, "-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", directory],
    logDirectory,
  });
  await waitUntilReady(service, SECONDS, () => administer("select 1").then(() => true));
  return {
    /** Connects as the role that owns the services' database. */
    url: urlOf("app_registry", "app_registry"),
    query,
    /** Creates the services' role and an empty database of its own, in place of those that exist. */
    async createDatabase(): Promise<void> {
      await administer("drop database if exists app_registry with (force)");
      await administer("drop role if exists app_registry");
      await administer("create role app_registry login");
      await administer("create database app_registry owner app_registry");
    },
  };
}
