import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAppRegistryClient, publishApp, type SearchPage, searchChain } from "@app-registry/sdk";
import { resolverAbi } from "@app-registry/sdk/abi";
import { testAccount, testClients } from "@app-registry/test-kit/deployContracts";
import { eventually } from "@app-registry/test-kit/eventually";
import { freePort } from "@app-registry/test-kit/freePort";
import { expect, it, onTestFinished } from "vitest";
import { startService, waitUntilReady } from "../../../../scripts/stack/processes.ts";
import { startRegistry } from "./test/registryFixture.ts";

const SERVICES = 20;
const WALLETS = 4;
const traits = ["api:mcp"];

/** Kills (SIGKILL) the process with a metrics port, and its children. */
async function killProcesses(metricsPort: number): Promise<void> {
  let killed = 0;
  for (const id of await readdir("/proc")) {
    const environment = await readFile(`/proc/${id}/environ`, "utf8").catch(() => "");
    if (environment.split("\0").includes(`METRICS_PORT=${metricsPort}`))
      killed += Number(process.kill(Number(id), 9));
  }
  expect(killed).toBeGreaterThan(0);
}

it("`pnpm start` loses and doubles nothing while each kind of process is killed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kills-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // PostgreSQL runs as another user if this process is root.
  await chmod(folder, 0o755);
  const { registry, stop, rpcUrl, variables } = await startRegistry();
  onTestFinished(stop);
  const { client, publicClient, deployment } = registry;
  const [web, indexer, metrics] = await Promise.all([freePort(), freePort(), freePort()]);
  const url = `http://localhost:${web}`;
  const changed = { DATABASE_URL: "", POSTGRES_DIR: "postgres", RATE_LIMIT_ATTEST_CLIENT: 600 };
  const addresses = { PUBLIC_URL: url, WEB_PORT: web, INDEXER_PORT: indexer, METRICS_PORT: metrics };
  const settings = { ...variables, ...changed, ...addresses };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(folder, "registry.env"), lines.join(""));
  const command = [process.execPath, "scripts/start.ts", "--env-file", join(folder, "registry.env")];
  const environment = { NEXT_DIST_DIR: process.env.NEXT_TEST_BUILD };
  const started = await startService({ name: "start", command, environment, logDirectory: folder });
  onTestFinished(() => started.stop(60_000));
  /** Searches through the web app, which answers from the index, else from the chain, else with 503. */
  const search = async (): Promise<SearchPage | undefined> => {
    const response = await fetch(`${url}/api/search?traits=${traits}&limit=100`).catch(() => undefined);
    if (response) expect([200, 503]).toContain(response.status);
    return response?.ok ? response.json().catch(() => undefined) : undefined;
  };
  await waitUntilReady(started, async () => (await search())?.source === "index");

  const published: string[] = [];
  const publish = async (wallet: number, number: number) => {
    const did = `did:web:localhost%3A${web}:${number}`;
    const about = { name: `Service ${number}`, description: "It survives.", publisher: "Somebody", traits };
    const metadata = { ...about, endpoints: [{ name: "MCP", endpoint: `${url}/mcp` }] };
    const sender = createAppRegistryClient({ deployment, ...testClients(rpcUrl, testAccount(wallet)) });
    const service = { client: sender, baseUrl: url, did, version: "1.0.0", interfaces: 2, metadata };
    const refuse = (error: { retryable?: boolean }) => (error.retryable ? undefined : Promise.reject(error));
    while (!(await publishApp(service).catch(refuse))?.attested) await sleep(500);
    published.push(did);
  };
  const publishing = Array.from({ length: WALLETS }, async (_, wallet) => {
    for (let number = wallet; number < SERVICES; number += WALLETS) await publish(wallet + 1, number);
  });
  const killPostgres = async () => {
    const file = await readFile(join(folder, "postgres/data/postmaster.pid"), "utf8");
    process.kill(Number.parseInt(file, 10), "SIGKILL");
  };
  const [killWeb, killIndexer, killWorker] = [0, 1, 2].map((one) => () => killProcesses(metrics + one));
  const killing = async () => {
    for (const [index, kill] of [killWeb, killWorker, killPostgres, killIndexer].entries()) {
      await expect.poll(() => published.length).toBeGreaterThan(4 * index);
      await kill?.();
    }
  };
  const searching = async () => {
    while (published.length < SERVICES) await search();
  };
  await Promise.all([...publishing, killing(), searching()]);

  const { address } = deployment.contracts.ResolverWithStore;
  const events = await publicClient.getContractEvents({ address, abi: resolverAbi, fromBlock: 0n });
  for (const name of ["DIDAttested", "DataHashAttested"])
    expect(events.filter(({ eventName }) => eventName === name)).toHaveLength(SERVICES);
  const { results } = await searchChain({ client, traits, limit: 100 });
  expect(results.map(({ did }) => did).sort()).toEqual(published.sort());
  await eventually(async () => {
    const page = await search();
    const byToken = page?.results.toSorted((one, other) => Number(one.tokenId) - Number(other.tokenId));
    expect([page?.source, byToken]).toMatchObject(["index", results]);
  });
});
