import { onchainTable } from "ponder";

/** Empty table, because Ponder requires one. */
export const empty = onchainTable("empty", (t) => ({ id: t.integer().primaryKey() }));
