import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { canonicalizeValue, dataHash, dataUrlPath, didHash } from "@app-registry/sdk";
import { type Hex, stringToHex, zeroAddress } from "viem";
import { rootDirectory } from "../../scripts/stack/processes.ts";
import { Random } from "./data/random.ts";
import { type BenchRecord, recordAt } from "./data/records.ts";
import { hashOfTrait } from "./data/vocabulary.ts";

/** A row by the names of the schema's columns. */
export type Row = Record<string, unknown>;

/** Drizzle keeps a table's SQL name under this registered symbol, which `getTableName` of its own copy reads. */
type Table = { [name: symbol]: unknown };
const nameOf = (table: Table) => String(table[Symbol.for("drizzle:Name")]);

/** The rows of one record, with as much of Ponder's `db` as the indexer's handlers use. */
class RowStore {
  readonly tables = new Map<string, Row[]>();

  #of(table: Table): Row[] {
    const rows = this.tables.get(nameOf(table)) ?? [];
    this.tables.set(nameOf(table), rows);
    return rows;
  }

  async find(table: Table, key: Row): Promise<Row | null> {
    const isWanted = (row: Row) => Object.entries(key).every(([column, value]) => row[column] === value);
    return this.#of(table).find(isWanted) ?? null;
  }

  insert(table: Table) {
    return {
      values: (rows: Row | Row[]) => {
        const inserted = Promise.resolve(this.#of(table).push(...[rows].flat()));
        // Rows that other records have too are left out by the database.
        return Object.assign(inserted, {
          onConflictDoUpdate: () => inserted,
          onConflictDoNothing: () => inserted,
        });
      },
    };
  }

  update(table: Table, key: Row) {
    return {
      set: async (values: Row) => {
        const row = await this.find(table, key);
        if (!row) throw new Error(`${nameOf(table)} has no row to update.`);
        Object.assign(row, values);
      },
    };
  }
}

type Handler = (input: { event: object; context: object }) => Promise<void>;

/** Loads the indexer's event handlers without Ponder; its virtual modules are replaced. */
async function loadHandlers(): Promise<Map<string, Handler>> {
  const handlers = new Map<string, Handler>();
  const sourceOf = (path: string) => pathToFileURL(join(rootDirectory, "apps/indexer", path)).href;
  const moduleOf = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;
  Object.assign(globalThis, {
    benchPonder: { on: (event: string, handler: Handler) => handlers.set(event, handler) },
  });
  const modules: Record<string, string> = {
    "ponder:schema": sourceOf("ponder.schema.ts"),
    "ponder:registry": moduleOf("export const ponder = globalThis.benchPonder"),
    "./document/nodeAhead.ts": moduleOf("export const nodeAhead = () => ({ blockNumber: async () => 0 })"),
  };
  registerHooks({
    resolve(specifier, context, next) {
      const url = modules[specifier];
      return url ? { url, shortCircuit: true } : next(specifier, context);
    },
  });
  for (const contract of ["AppRegistry", "AppMetadata", "ResolverWithStore", "ResolverPolicy"]) {
    await import(sourceOf(`src/${contract}.ts`));
  }
  return handlers;
}

const handlers = await loadHandlers();

/** The rows that the indexer writes for the records `first` to `last - 1`, by table. */
export async function makeRows(first: number, last: number): Promise<Map<string, Row[]>> {
  const all = new Map<string, Row[]>();
  for (let index = first; index < last; index++) {
    const db = new RowStore();
    for (const { name, code, ...event } of recordEvents(recordAt(index))) {
      const handle = handlers.get(name);
      if (!handle) throw new Error(`The indexer handles no ${name}.`);
      await handle({ event, context: { db, client: { getCode: async () => code } } });
    }
    for (const [table, rows] of db.tables) {
      const before = all.get(table) ?? [];
      before.push(...rows);
      all.set(table, before);
    }
  }
  return all;
}

/** An event of the contracts as Ponder decodes it, with the code of the pointer that a `MetadataSet` names. */
interface RecordEvent {
  name: string;
  args: Record<string, unknown>;
  block: { number: bigint; timestamp: bigint };
  transaction: { hash: Hex };
  log: { address: Hex };
  code?: Hex;
}

/** Long before now, so that no block of the data is newer than the chain's. */
const FIRST_TIMESTAMP = 1_600_000_000;
const SECONDS_BETWEEN = 37;

const ISSUER = "0x00000000000000000000000000000000000000f0";
/** The end of 2099. */
const LASTING = 4_102_444_799n;
const YEAR = 31_536_000n;

/** What an issuer states before the mint: of the minter always, of half of the documents; a tenth has expired since. */
function* attestations(record: BenchRecord, hash: Hex, random: Random): Generator<RecordEvent> {
  const startedAt = BigInt(FIRST_TIMESTAMP + record.tokenId * SECONDS_BETWEEN);
  const place = {
    block: { number: BigInt(record.tokenId), timestamp: startedAt },
    transaction: { hash: random.hex(32) },
    log: { address: zeroAddress },
  } as const;
  const times = { startedAt, statedAt: startedAt, settlesAt: startedAt };
  const expiresAt = random.chance(0.1) ? startedAt + YEAR : LASTING;
  const stated = { didHash: hash, issuer: ISSUER, ...times, expiresAt };
  yield { ...place, name: "ResolverWithStore:IssuerAdded", args: { issuer: ISSUER } };
  yield { ...place, name: "ResolverWithStore:DIDAttested", args: { ...stated, controller: record.minter } };
  const metadata = record.versions.at(-1)?.metadata;
  if (metadata === undefined || random.chance(0.5)) return;
  const attested = { ...stated, dataHash: dataHash(canonicalizeValue(metadata), 0) };
  yield { ...place, name: "ResolverWithStore:DataHashAttested", args: attested };
}

/** The events that a record's life leaves on the chain, in the order of the contracts. */
function* recordEvents(record: BenchRecord): Generator<RecordEvent> {
  const { did, minter, owner, status, contractId, interfaces } = record;
  const random = new Random(record.tokenId, 7);
  const hash = didHash(did);
  const tokenId = BigInt(record.tokenId);
  yield* attestations(record, hash, random);
  for (const [index, { version, metadata }] of record.versions.entries()) {
    const json = canonicalizeValue(metadata);
    const timestamp = BigInt(FIRST_TIMESTAMP + record.tokenId * SECONDS_BETWEEN + index * 86_400);
    const place = {
      block: { number: BigInt(record.tokenId + index), timestamp },
      transaction: { hash: random.hex(32) },
      log: { address: zeroAddress },
    };
    const published = {
      ...version,
      tokenId,
      didHash: hash,
      interfaces,
      dataUrl: `https://registry.example${dataUrlPath(did, version)}`,
      dataHash: dataHash(json, 0),
      dataHashAlgorithm: 0,
      traitHashes: (metadata.traits ?? []).map(hashOfTrait),
    };
    if (index === 0) {
      yield { ...place, name: "AppRegistry:Transfer", args: { from: zeroAddress, to: minter, tokenId } };
    }
    const name = index === 0 ? "AppRegistry:AppMinted" : "AppRegistry:AppUpdated";
    yield { ...place, name, args: { ...published, did, minter, contractId, fungibleTokenId: "" } };
    yield {
      ...place,
      name: "AppMetadata:MetadataSet",
      args: { ...version, didHash: hash, did, hash: published.dataHash, timestamp, pointer: random.hex(20) },
      code: `0x00${stringToHex(json).slice(2)}`,
    };
    const isLast = index === record.versions.length - 1;
    if (isLast && owner !== minter) {
      yield { ...place, name: "AppRegistry:Transfer", args: { from: minter, to: owner, tokenId } };
    }
    if (isLast && status !== 0) {
      const args = { tokenId, didHash: hash, oldStatus: 0, newStatus: status };
      yield { ...place, name: "AppRegistry:StatusUpdated", args };
    }
  }
}
