import { recordAt } from "../data/records.ts";
import { type Columns, copyLine } from "./copyText.ts";
import { loadHandlers } from "./handlers.ts";
import { recordEvents } from "./recordEvents.ts";
import { RowStore } from "./rowStore.ts";

/** The rows of some records: for each table the text of a COPY. */
export type CopyTexts = Map<string, string>;

const handle = await loadHandlers();

/** Hands the events of the records `first` to `last - 1` to the indexer's handlers, and returns what they wrote. */
export async function makeRows(first: number, last: number, columns: Columns): Promise<CopyTexts> {
  const lines = new Map<string, string[]>();
  for (let index = first; index < last; index++) {
    const db = new RowStore();
    for (const { name, code, ...event } of recordEvents(recordAt(index))) {
      const client = { getCode: async () => code };
      await handle(name, { event, context: { db, client } });
    }
    for (const [table, rows] of db.tables()) {
      const written = lines.get(table) ?? [];
      lines.set(table, written);
      for (const row of rows) written.push(copyLine(row, columns[table] ?? []));
    }
  }
  return new Map([...lines].map(([table, written]) => [table, written.join("")]));
}
