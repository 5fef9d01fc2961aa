/** A table of the indexer's schema: Drizzle keeps its SQL name under this symbol. */
type Table = { [name: symbol]: unknown };
export type Row = Record<string, unknown>;

const nameKey = Symbol.for("drizzle:Name");
const nameOf = (table: Table): string => String(table[nameKey]);

const matches = (row: Row, key: Row) => Object.entries(key).every(([column, value]) => row[column] === value);

/**
 * The rows that the handlers write for one record. It answers what they ask of Ponder's `db`, from memory: with the
 * few rows of a single record, looking at each is faster than an index.
 */
export class RowStore {
  readonly #rows = new Map<string, Row[]>();

  /** The tables that hold rows. */
  tables(): Iterable<[table: string, rows: Row[]]> {
    return this.#rows;
  }

  #of(table: Table): Row[] {
    const name = nameOf(table);
    const rows = this.#rows.get(name) ?? [];
    this.#rows.set(name, rows);
    return rows;
  }

  async find(table: Table, key: Row): Promise<Row | null> {
    return this.#of(table).find((row) => matches(row, key)) ?? null;
  }

  insert(table: Table) {
    return {
      values: (rows: Row | Row[]) => {
        const inserted = Promise.resolve(this.#of(table).push(...[rows].flat()));
        // No two JSONs of the data are the same, so nothing is updated; a row that may be there is left out when it is
        // loaded.
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
