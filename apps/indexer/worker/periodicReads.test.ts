import { DOCUMENT_QUEUE, PROBE_KIND } from "@app-registry/index/workerTables";
import { metrics } from "@app-registry/server/metrics";
import { describe, expect, it } from "vitest";
import { settings, useWorker } from "../test/harness/worker.ts";
import { createMetrics } from "./startDocumentWorker.ts";

/** Records, each with a row in every table of the worker. None is due. */
const RECORDS = 20_000;

/** Statements that fill the tables. `$i` is Ponder's schema, `$o` the worker's. */
const fill = `
  create index on $i.app (changed_at, token_id);
  create index on $i.app (did_hash, major);
  insert into $i.app select id, 'did:web:' || id || '.test', '0x' || id, 'https://' || id || '.test/a', '0x' || id, 0,
    '{}', 0, id, null, '0x0', 2, '[]' from generate_series(1, ${RECORDS}) as id;
  insert into $o.record select token_id, did, did_hash, data_url, data_hash, 0, '{}', 'served' from $i.app;
  insert into $o.document select did_hash, data_hash, 0, '{}', null, 0 from $i.app;
  insert into $o.label (token_id, did_hash, data_hash, algorithm, trait_hashes, endpoints, traits, problems, sort_name,
      search_vector, words, labelled_at)
    select token_id, did_hash, data_hash, 0, '{}', '[]', '{}', '[]', did, '', '', 0 from $i.app;
  insert into $o.probe (token_id, did_hash, queued_hash) select token_id, did_hash, data_hash from $i.app;
  insert into $o.probe_day (token_id, day) select token_id, '2027-01-14' from $i.app;
  insert into $o.probe_budget select did, '2027-01-14', 1 from $i.app;
  insert into $o.change select token_id, 1000 from $i.app;
  insert into $o.queue_job (scope, kind, key, host, priority, due_at)
    select '${DOCUMENT_QUEUE.scope}', kind, token_id::text, token_id::text, 2, 1.8e9 + 86400
    from $i.app, unnest(array['${DOCUMENT_QUEUE.kind}', '${PROBE_KIND}']) as kind;
  insert into $o.queue_host (scope, host, site, due_at) select scope, host, host, 1.8e9 + 86400 from $o.queue_job
    group by scope, host;
  analyze;`;

type Plan = { Plan?: Plan; "Node Type"?: string; "Relation Name"?: string; Plans?: Plan[] };

/** Lists the tables that a plan reads as a whole. */
const listScanned = (plan: Plan): string[] => [
  ...(plan["Node Type"] === "Seq Scan" ? [plan["Relation Name"] ?? ""] : []),
  ...[plan.Plan ?? [], plan.Plans ?? []].flat().flatMap(listScanned),
];

describe("a worker with many records", () => {
  const used = useWorker({ probes: true });

  it("reads no table as a whole, neither to look for records, nor to prune, nor for its metrics", async () => {
    const { database, schemas } = used.index;
    const run = (script: string) =>
      database.run(script.replaceAll("$i", schemas.index).replaceAll("$o", schemas.offchain));
    createMetrics(database, schemas);
    // The first pass also corrects times that another clock may have set.
    used.restart({ walkStep: 500 });
    await used.pass(1);
    await run(fill);
    const { query } = database;
    const scans = new Set<string>();
    let statements = 0;
    const large = await query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and reltuples >= ${RECORDS}`,
    );
    const grows = new Set(large.map(({ name }) => name));
    expect(grows.size).toBe(10);
    database.query = async (text, values) => {
      const [row] = await query<{ "QUERY PLAN": Plan[] }>(`explain (format json) ${text}`, values);
      const scanned = (row?.["QUERY PLAN"] ?? []).flatMap(listScanned).filter((table) => grows.has(table));
      if (scanned.length > 0) scans.add(`${scanned}: ${text}`);
      statements++;
      return query(text, values);
    };
    used.clock += settings.walk;
    await used.pass(4);
    await metrics().text();
    database.query = query;
    expect(statements).toBeGreaterThan(50);
    expect([...scans]).toEqual([]);
  });
});
