import { globSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import getPort from "get-port";
import pg from "pg";
import { createTestClient, http, publicActions, walletActions } from "viem";
import { run, startService, waitUntilReady } from "../stack/processes.ts";

const PASSWORD = "rehearsal";

/** Exit code if this machine has no PostgreSQL. */
export const NOT_HERE = 3;

/** Chain id of the testnet that the local chain stands in for. */
export const TESTNET = 66_238;

/** Starts Anvil as the testnet, with a block per second, and waits until it responds. */
export async function startTestnet(logDirectory: string) {
  const url = "http://127.0.0.1:8545";
  const service = await startService({
    name: "anvil",
    command: ["anvil", "--chain-id", String(TESTNET), "--block-time", "1", "--silent"],
    logDirectory,
  });
  const chain = {
    ...{ id: TESTNET, name: "anvil", rpcUrls: { default: { http: [url] } } },
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  };
  const client = createTestClient({ mode: "anvil", chain, transport: http(), pollingInterval: 200 })
    .extend(publicActions)
    .extend(walletActions);
  await waitUntilReady(service, async () => (await client.getChainId()) === TESTNET);
  return { url, client };
}

/** Returns the server program of this machine's PostgreSQL, whose version pg_dump and psql match, or `undefined`. */
export const findPostgres = () => globSync("/usr/lib/postgresql/*/bin/postgres").sort().at(-1);

/** Starts a PostgreSQL server with its own data folder. */
export async function startPostgres(binary: string, directory: string, logDirectory: string) {
  const port = await getPort();
  const data = join(directory, "data");
  await mkdir(directory, { recursive: true });
  const passwordFile = join(directory, "password");
  await writeFile(passwordFile, PASSWORD);
  // PostgreSQL refuses to run as root.
  const asServer = process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--"] : [];
  if (asServer.length > 0) await run("chown", ["-R", "postgres", directory]);
  const [initialise = "", ...before] = [...asServer, join(dirname(binary), "initdb")];
  const initdb = ["--auth=scram-sha-256", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8"];
  await run(initialise, [...before, ...initdb, `--pwfile=${passwordFile}`, "--pgdata", data]);

  const toUrl = (user: string, database: string) =>
    `postgresql://${user}:${PASSWORD}@127.0.0.1:${port}/${database}`;
  const query = async <Row extends object>(sql: string, database = "app_registry") => {
    const client = new pg.Client(toUrl("postgres", database));
    await client.connect();
    return (await client.query<Row>(sql).finally(() => client.end())).rows;
  };
  const own = ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", directory];
  const service = await startService({
    ...{ name: "postgres", command: [...asServer, binary, ...own], logDirectory },
  });
  await waitUntilReady(service, () => query("select 1", "postgres").then(() => true));
  return {
    url: toUrl("app_registry", "app_registry"),
    query,
    /** Creates the role and an empty database. Drops earlier ones. */
    async createDatabase() {
      for (const sql of [
        "drop database if exists app_registry with (force)",
        "drop role if exists app_registry",
        `create role app_registry login password '${PASSWORD}'`,
        "create database app_registry owner app_registry",
      ])
        await query(sql, "postgres");
    },
  };
}
