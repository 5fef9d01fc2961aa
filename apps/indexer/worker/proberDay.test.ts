import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Database } from "@app-registry/index/workerTables";
import { createGuardedFetch, PROBER, proberUserAgent } from "@app-registry/outbound";
import { didHash } from "@app-registry/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openOffchainIndex } from "../test/harness/offchainIndex.ts";
import { createWorker } from "./createWorker.ts";
import { createDocumentReader } from "./documentReader.ts";
import { getWorkerSettings } from "./settings.ts";

const DAY = 86_400;
/** Interval between two steps of the worker, in seconds. */
const STEP = 5;
const KILLS = 10;
/** Time within which a worker queues all services, in seconds. */
const TAKE_IN = 300;

type Asked = { host: string; path: string; at: number; underWay: number };

/** Starts a server for all hosts below localhost that logs the requests to each. */
async function startHosts(now: () => number) {
  const log: Asked[] = [];
  const underWay = new Map<string, number>();
  const server = createServer((request, response) => {
    const { host = "" } = request.headers;
    const others = underWay.get(host) ?? 0;
    underWay.set(host, others + 1);
    response.on("close", () => underWay.set(host, (underWay.get(host) ?? 1) - 1));
    log.push({ host, path: request.url ?? "", at: now(), underWay: others });
    response.writeHead(request.url === "/robots.txt" ? 404 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { log, port, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** Wraps a database for a process that can be killed. After that, it runs no statement. */
function killable({ query, run }: Database): Database & { kill(): void } {
  let isDead = false;
  const alive = () => {
    if (isDead) throw new Error("The process has ended");
  };
  return {
    query: async (...statement) => {
      alive();
      return query(...statement);
    },
    run: async (script) => {
      alive();
      await run(script);
    },
    kill() {
      isDead = true;
    },
  };
}

/** Returns 10,000 services: most have their own host, the others share one host, site or holder. */
function services(port: number) {
  const at = (host: string, path = "/") => `http://${host}.localhost:${port}${path}`;
  const toDid = (host: string, path = "") => `did:web:${host}.localhost%3A${port}${path}`;
  const some = <Item>(count: number, of: (place: number) => Item) =>
    Array.from({ length: count }, (_, place) => of(place));
  return [
    ...some(4_000, (place) => ({
      kind: "own host",
      did: toDid(`www.own-${place}`),
      url: at(`www.own-${place}`),
    })),
    ...some(3_000, (place) => ({
      kind: "shared site",
      did: toDid(`s${place}.shared-${place % 100}`),
      url: at(`s${place}.shared-${place % 100}`),
    })),
    ...some(2_000, (place) => ({
      kind: "aimed at a victim",
      did: toDid(`www.attacker-${place}`),
      url: at("www.victim", `/${place}`),
    })),
    ...some(500, (place) => ({
      kind: "one host",
      did: toDid("www.crowded", `:${place}`),
      url: at("www.crowded", `/${place}/`),
    })),
    ...some(500, (place) => ({
      kind: "one holder",
      did: toDid(`www.held-${place}`),
      url: at(`www.held-${place}`),
      owner: `0x${"f".repeat(40)}`,
    })),
  ].map((service, place) => ({ owner: undefined, ...service, tokenId: place + 1 }));
}

describe.skipIf(!process.env.TEST_LONG)("a day of 10,000 services", () => {
  let clock = Math.ceil(1_800_000_000 / DAY) * DAY;
  const begin = clock;
  const reader = createDocumentReader(60_000);
  const guardedFetch = createGuardedFetch({
    allowLoopback: true,
    timeout: 20_000,
    userAgent: proberUserAgent(""),
  });
  let opened: Awaited<ReturnType<typeof openOffchainIndex>>;
  let hosts: Awaited<ReturnType<typeof startHosts>>;
  let all: ReturnType<typeof services>;
  const failures: unknown[] = [];

  const query = (text: string) =>
    opened.index.database.query(text.replaceAll("$o", opened.index.schemas.offchain));
  const sizes = async () => {
    const [row] = await query(
      `select sum(pg_total_relation_size(format('$o.%I', name)::regclass))::float8 as bytes
      from unnest(array['probe', 'probe_day', 'probe_budget']) as name`,
    );
    return Number(row?.bytes);
  };

  /** Returns the requests that hosts received within the day. */
  const asked = () => hosts.log.filter(({ at }) => at < begin + DAY);

  function startWorker() {
    const database = killable(opened.index.database);
    const worker = createWorker({
      ...{ database, schemas: opened.index.schemas, guardedFetch, reader },
      prober: {
        guardedFetch,
        chain: { readStoredDocument: opened.index.documentAt, hasCode: async () => undefined },
      },
      settings: { ...getWorkerSettings({ chainId: 1, workerConcurrency: 8 }), walk: 600 },
      now: () => clock,
      random: Math.random,
      onEvent(event) {
        if (event.type === "failed" && !/The process has ended/.test(String(event.error)))
          failures.push(event.error);
      },
    });
    return { worker, kill: database.kill };
  }

  beforeAll(async () => {
    opened = await openOffchainIndex();
    hosts = await startHosts(() => clock);
    all = services(hosts.port);
    await opened.index.mine(5_000);
    for (const { tokenId, did, url, owner } of all) {
      await opened.index.mint({
        ...{
          tokenId,
          did,
          dataUrl: `${url}a.json`,
          onChain: true,
          interfaces: 1,
          at: tokenId === all.length ? 5_000 : 1_000,
          ...(owner !== undefined && { owner }),
        },
        metadata: { name: `Service ${tokenId}`, platforms: { web: { launchUrl: url } } },
      });
    }
    const { signal } = new AbortController();
    let process = startWorker();
    // The last probes of the day are sent a little later.
    for (let step = 0; step < (DAY + TAKE_IN) / STEP; step++) {
      await process.worker.look();
      await process.worker.begin(signal);
      if (step % Math.floor(DAY / STEP / (KILLS + 1)) === 1 && step > 1 && clock < begin + DAY) {
        // Pending requests reach their hosts, but the killed process can't save the results.
        process.kill();
        await process.worker.settled();
        process = startWorker();
      }
      await process.worker.settled();
      clock += STEP;
    }
  }, 3_600_000);

  afterAll(async () => {
    await opened.stop();
    await hosts.close();
    await reader.close();
    await guardedFetch.close();
  });

  // @threat documents: A response that stalls the prober or fills its database, or a probe that counts twice
  it("probes and counts each service once, even if workers are killed", async () => {
    expect(failures).toEqual([]);
    // Services whose time of day passed before the worker queued them are probed the next day.
    const isLate = (did: string) => Number.parseInt(didHash(did).slice(2, 10), 16) / 2 ** 32 < TAKE_IN / DAY;
    // The newest service is probed at once, and again at its time of day.
    const free = all.slice(0, -1).filter(({ kind, did }) => kind !== "aimed at a victim" && !isLate(did));
    const rows = await query(
      "select token_id::int as id, sum(answers)::int as count from $o.probe_day group by token_id",
    );
    const counts = new Map(rows.map(({ id, count }) => [id, count]));
    const others = free.filter(({ tokenId }) => counts.get(tokenId) !== 1);
    expect(others.map(({ did, tokenId }) => [did, counts.get(tokenId)])).toEqual([]);
    const [sum] = await query(
      "select count(*)::int as jobs, count(distinct key)::int as services from $o.queue_job where kind = 'probe'",
    );
    expect(sum).toEqual({ jobs: 10_000, services: 10_000 });
  });

  // @threat documents: Probing one victim again and again, or against robots.txt or Retry-After
  it("exceeds no daily limit of a host, a site or a holder, by the hosts' own logs", () => {
    const pages = asked().filter(({ path }) => path !== "/robots.txt");
    const of = (part: string) => pages.filter(({ host }) => host.includes(part));
    // A killed worker's probes are repeated.
    expect(of("www.victim").length).toBeLessThanOrEqual(PROBER.perUnprovenHost + KILLS);
    // Their DIDs prove these hosts, so every service has its daily probe.
    for (const [part, services] of [
      ["www.crowded", 500],
      ["www.held-", 500],
    ] as const) {
      expect(of(part).length).toBeLessThanOrEqual(services + KILLS);
      expect(of(part).length).toBeGreaterThan(services / 2);
    }
    const [most] = [...Map.groupBy(hosts.log, ({ host, at }) => `${host} ${at}`).values()]
      .map((requests) => requests.length)
      .sort((a, b) => b - a);
    // One conversation has two requests: robots.txt and the page.
    expect(most).toBeLessThanOrEqual(2);
    expect(hosts.log.filter(({ underWay }) => underWay > 0)).toEqual([]);
  });

  it("spreads the probes evenly over the day", () => {
    const free = asked().filter(({ path, host }) => path === "/" && /own-|shared-/.test(host));
    const hours = Array.from({ length: 24 }, () => 0);
    for (const { at } of free) {
      const hour = Math.floor((at - begin) / 3_600);
      hours[hour] = (hours[hour] ?? 0) + 1;
    }
    const mean = free.length / 24;
    for (const count of hours) expect(Math.abs(count - mean)).toBeLessThan(mean / 4);
  });

  it("needs few bytes of history per service and day", async () => {
    const before = await sizes();
    await query(
      `insert into $o.probe_day (token_id, day, answers)
      select token_id, '2000-01-' || lpad(day::text, 2, '0'), 1
      from $o.probe cross join generate_series(1, 10) as day`,
    );
    const bytes = ((await sizes()) - before) / 100_000;
    console.info(`${bytes.toFixed(0)} bytes of history for a service and day`);
    expect(bytes).toBeLessThan(250);
  });
});
