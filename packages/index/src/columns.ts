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

  /** Builds the column. Drizzle calls this after it has set the column's name. */
  build(table: AnyPgTable): PgTsvector {
    return new PgTsvector(table, this.config as ConstructorParameters<typeof PgTsvector>[1]);
  }
}

/**
 * Creates a column of PostgreSQL's type `tsvector`, which is written and read in its text form. Drizzle lacks this
 * type, and Ponder's GraphQL rejects Drizzle's `customType`.
 */
export const tsvector = () => new PgTsvectorBuilder();
