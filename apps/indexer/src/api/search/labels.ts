import { db } from "ponder:api";
import { sql } from "ponder";
import { environment } from "../../../environment.ts";
import { isOfRecord, isProbeOf, LAST_TABLE, offchainSchema } from "../../../offchain/tables.ts";
import type { Sql } from "../sql.ts";

const { chainId, readsOffchainDocuments } = environment;

/** Milliseconds between two looks whether there are labels. */
const INTERVAL = 1_000;

const schema = offchainSchema(chainId);

/** A table of the worker that reads the documents at dataUrls, and which of its rows is of the record `app` now. */
const workerTable = (name: "label" | "record") => ({
  table: sql.raw(`${schema}.${name} ${name}`),
  isOfRecord: sql.raw(`${name}.token_id = app.token_id and ${isOfRecord(name, "app")}`),
});

/** `label`: the labels that the document at its dataUrl gives a record. */
export const labels = workerTable("label");

/** `record`: what was found at a record's dataUrl. */
export const checks = workerTable("record");

/** `probe`: what came of asking the service of a record whether it is live. */
export const probes = {
  table: sql.raw(`${schema}.probe probe`),
  isOfRecord: sql.raw(`${isProbeOf("probe", "app")} and probe.outcome is not null`),
};

/** `change`: when the worker changed last what is told of a record. */
export const changes = sql.raw(`${schema}.change change`);

async function isTrue(query: Sql): Promise<boolean> {
  const { rows } = await db.execute<{ found: boolean }>(sql`select ${query} as found`);
  return rows[0]?.found === true;
}

/** Asks until the answer is yes, and no more often than every second. */
function remembered(ask: () => Promise<boolean>): () => Promise<boolean> {
  let answer = Promise.resolve(false);
  let askedAt = Number.NEGATIVE_INFINITY;
  let isSure = !readsOffchainDocuments;
  return () => {
    if (isSure || performance.now() - askedAt < INTERVAL) return answer;
    askedAt = performance.now();
    answer = ask().then((found) => {
      isSure = found;
      return found;
    });
    return answer;
  };
}

/** Whether the worker has made its tables. */
export const tablesExist = remembered(() =>
  isTrue(sql`to_regclass(${`${schema}.${LAST_TABLE}`}) is not null`),
);

/** Whether any document at a dataUrl labels a record: without one, a search need not look for them. */
export const labelsExist = remembered(
  async () => (await tablesExist()) && isTrue(sql.raw(`exists (select from ${schema}.label)`)),
);

/** Whether the worker changed what is told of any record: without one, the order of changes is the chain's. */
export const changesExist = remembered(
  async () => (await tablesExist()) && isTrue(sql.raw(`exists (select from ${schema}.change)`)),
);
