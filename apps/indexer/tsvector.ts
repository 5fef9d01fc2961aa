import type { ColumnBuilderBaseConfig } from "drizzle-orm/column-builder";
import { entityKind } from "drizzle-orm/entity";
import { type AnyPgTable, PgColumn, PgColumnBuilder } from "drizzle-orm/pg-core";

type TsvectorConfig = ColumnBuilderBaseConfig<"string", "PgTsvector"> & { data: string; driverParam: string };

class PgTsvector extends PgColumn {
  static override readonly [entityKind] = "PgTsvector";

  override getSQLType(): string {
    return "tsvector";
  }
}

class PgTsvectorBuilder extends PgColumnBuilder<TsvectorConfig> {
  static override readonly [entityKind] = "PgTsvectorBuilder";

  constructor() {
    super("", "string", "PgTsvector");
  }

  /** Called by Drizzle, which names the column by then. */
  build(table: AnyPgTable): PgTsvector {
    return new PgTsvector(table, this.config as ConstructorParameters<typeof PgTsvector>[1]);
  }
}

/**
 * A column of PostgreSQL's type `tsvector`, written and read in its text form. Drizzle knows no such type, and its
 * `customType` is one that Ponder's GraphQL refuses.
 */
export const tsvector = () => new PgTsvectorBuilder();
