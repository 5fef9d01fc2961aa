import { dataHash, didHash, traitHash } from "@app-registry/sdk";
import { PGlite } from "@electric-sql/pglite";
import { expect } from "chai";
import { recordAt } from "../../scripts/bench/search/data/records.ts";
import { type Column, copyLine } from "../../scripts/bench/search/load/copyText.ts";
import { loadHandlers } from "../../scripts/bench/search/load/handlers.ts";
import { recordEvents } from "../../scripts/bench/search/load/recordEvents.ts";
import { type Row, RowStore } from "../../scripts/bench/search/load/rowStore.ts";

/** The rows that the indexer's handlers write for a record. */
async function rowsOf(index: number): Promise<Map<string, Row[]>> {
  const handle = await loadHandlers();
  const db = new RowStore();
  for (const { name, code, ...event } of recordEvents(recordAt(index))) {
    await handle(name, { event, context: { db, client: { getCode: async () => code } } });
  }
  return new Map(db.tables());
}

const indexes = Array.from({ length: 300 }, (_, index) => index);
const indexWhere = (matches: (record: ReturnType<typeof recordAt>) => boolean) =>
  indexes.find((index) => matches(recordAt(index))) ?? -1;

describe("the rows of the search benchmark", () => {
  it("are what the indexer's own handlers make of a record's events", async () => {
    const index = indexWhere(({ versions, status }) => versions.length > 1 && status === 0);
    const { did, versions } = recordAt(index);
    const last = versions.at(-1);
    const rows = await rowsOf(index);
    const [app] = rows.get("app") ?? [];
    expect(rows.get("version")).to.have.length(versions.length);
    expect(rows.get("document")).to.have.length(versions.length);
    expect(rows.get("token_of_major")).to.deep.equal([
      { didHash: didHash(did), major: last?.version.major, tokenId: BigInt(index + 1) },
    ]);
    expect(app).to.include({ did, name: last?.metadata.name, minor: last?.version.minor, status: 0 });
    expect(app?.traits).to.deep.equal(last?.metadata.traits);
    expect(app?.traitHashes).to.deep.equal(last?.metadata.traits?.map(traitHash));
    expect(app?.problems).to.deep.equal([]);
  });

  it("show status and holder as the last event left them", async () => {
    const deprecated = indexWhere(({ status }) => status === 1);
    const sold = indexWhere(({ owner, minter }) => owner !== minter);
    expect((await rowsOf(deprecated)).get("app")?.[0]).to.include({ status: 1 });
    const { owner, minter } = recordAt(sold);
    expect((await rowsOf(sold)).get("app")?.[0]).to.include({ owner, minter });
  });

  it("reach PostgreSQL's COPY as they are, whatever they hold", async () => {
    const columns: Column[] = [
      { name: "id", kind: "bigint" },
      { name: "plain_text", kind: "text" },
      { name: "list", kind: "ARRAY" },
      { name: "json", kind: "jsonb" },
      { name: "words", kind: "tsvector" },
    ];
    const nasty = "a\tb\\N \\. \n\r {\"x\",y} 'z' ü";
    const rows = [
      {
        id: 1n,
        plainText: nasty,
        list: [nasty, "", "NULL"],
        json: [{ pointer: nasty }],
        words: "'rain':1A,2",
      },
      { id: 2n, plainText: null, list: [], json: [], words: "" },
    ];
    const database = await PGlite.create();
    try {
      await database.exec(
        "create table t (id int8, plain_text text, list text[], json jsonb, words tsvector)",
      );
      const text = rows.map((row) => copyLine(row, columns)).join("");
      await database.query("copy t from '/dev/blob'", [], { blob: new Blob([text]) });
      const read = await database.query("select id, plain_text, list, json, words::text from t order by id");
      expect(read.rows).to.deep.equal(
        rows.map(({ id, plainText, ...row }) => ({ ...row, id: Number(id), plain_text: plainText })),
      );
    } finally {
      await database.close();
    }
  });

  it("are refused when the table has no column for a value", () => {
    expect(() => copyLine({ id: 1, unknown: 2 }, [{ name: "id", kind: "bigint" }])).to.throw("unknown");
  });

  it("carry documents that hash to what the record names", () => {
    for (const { name, args, code } of recordEvents(recordAt(0))) {
      if (name !== "AppMetadata:MetadataSet") continue;
      const text = Buffer.from(String(code).slice(4), "hex").toString();
      expect(dataHash(text, 0)).to.equal(args.hash);
    }
  });
});
