import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Client } from "pg";
import { type PostgresServer, startPostgres } from "./postgres.ts";

/**
 * Servers of a test run, over HTTP: chains, each with its own port, clock and accounts, and databases of one
 * PostgreSQL. Prints its address when it listens, and ends when its standard input ends.
 */

type ChainServer = { listen(): Promise<AddressInfo>; close(): Promise<void> };
type Hardhat = {
  network: { createServer(parameters: object, host: string, port: number): Promise<ChainServer> };
};

/** Hardhat of the repository. It reads the configuration in the working directory of this process. */
const hardhat = createRequire(`${process.cwd()}/package.json`).resolve("hardhat");
const { network } = (await import(hardhat)) as Hardhat;
const chains = new Map<number, ChainServer>();
let postgres: Promise<PostgresServer> | undefined;

async function runSql(statement: string): Promise<string> {
  // An indexer holds up to 30 connections, and suites run several indexers concurrently.
  postgres ??= startPostgres({ settings: { fsync: "off", max_connections: "400" } });
  const { url } = await postgres;
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
  return url;
}

const handlers = {
  "/chains/start": async ({ port, chainId }: { port: number; chainId: number }) => {
    const server = await network.createServer({ network: "node", override: { chainId } }, "127.0.0.1", port);
    await server.listen();
    chains.set(port, server);
    return { rpcUrl: `http://127.0.0.1:${port}` };
  },
  "/chains/stop": async ({ port }: { port: number }) => {
    await chains.get(port)?.close();
    chains.delete(port);
    return {};
  },
  "/databases/create": async () => {
    const name = `test_${randomUUID().replaceAll("-", "")}`;
    const url = await runSql(`CREATE DATABASE ${name}`);
    return { url: new URL(name, url).href };
  },
  "/databases/drop": async ({ url }: { url: string }) => {
    await runSql(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
    return {};
  },
};

const server = createServer(async (request, response) => {
  // A connection that is kept may end while the next request is on its way.
  response.setHeader("connection", "close");
  try {
    const handler = handlers[request.url as keyof typeof handlers] as (body: unknown) => Promise<object>;
    response.end(JSON.stringify(await handler(JSON.parse(await text(request)))));
  } catch (error) {
    response.writeHead(500).end(error instanceof Error ? error.stack : String(error));
  }
});
server.listen(0, "127.0.0.1", () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);

process.stdin.resume();
process.stdin.once("end", async () => {
  await (await postgres)?.stop();
  process.exit();
});
