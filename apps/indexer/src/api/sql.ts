import type { sql } from "ponder";

/** A fragment of SQL whose value is a `Value`. */
export type Sql<Value = unknown> = ReturnType<typeof sql<Value>>;
