import { onchainTable } from "ponder";

/** Ponder wants a table; nothing is written into it. */
export const empty = onchainTable("empty", (t) => ({ id: t.integer().primaryKey() }));
