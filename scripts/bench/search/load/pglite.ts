import { PGlite } from "@electric-sql/pglite";
import type { LoadTarget } from "./loadRows.ts";

/** Opens the folder of an embedded database; nothing else may have it open. */
export async function openPglite(directory: string): Promise<LoadTarget & { close(): Promise<void> }> {
  const database = await PGlite.create(directory);
  return {
    query: (sql) => database.query(sql),
    async copy(statement, text) {
      await database.query(`${statement} '/dev/blob'`, [], { blob: new Blob([text]) });
    },
    close: () => database.close(),
  };
}
