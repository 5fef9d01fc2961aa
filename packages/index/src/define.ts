import type { ColumnBuilderBaseConfig } from "drizzle-orm/column-builder";
import { entityKind } from "drizzle-orm/entity";
import {
  type AnyPgTable,
  primaryKey as drizzlePrimaryKey,
  PgColumn,
  PgColumnBuilder,
  type PgColumnBuilderBase,
  type PgTableExtraConfig,
} from "drizzle-orm/pg-core";
import type { onchainTable, primaryKey as ponderPrimaryKey } from "ponder";

/** Column builders of Ponder, whose columns have their types in the indexer and in its readers. */
export type ColumnBuilders = Parameters<Extract<Parameters<typeof onchainTable>[1], CallableFunction>>[0];

type Columns = Record<string, PgColumnBuilderBase>;
type ConstraintColumns<Some extends Columns> = Parameters<
  NonNullable<Parameters<typeof onchainTable<string, Some, PgTableExtraConfig | undefined>>[2]>
>[0];

/** Table of the index, before it is built by the indexer (with Ponder) or by a reader (without). */
export type Definition<
  Name extends string = string,
  Some extends Columns = Columns,
  Extra extends PgTableExtraConfig | undefined = PgTableExtraConfig | undefined,
> = {
  name: Name;
  columns: (builders: ColumnBuilders) => Some;
  constraints: ((columns: ConstraintColumns<Some>) => Extra) | undefined;
};

export const define = <
  Name extends string,
  Some extends Columns,
  Extra extends PgTableExtraConfig | undefined = undefined,
>(
  name: Name,
  columns: (builders: ColumnBuilders) => Some,
  constraints?: (columns: ConstraintColumns<Some>) => Extra,
): Definition<Name, Some, Extra> => ({ name, columns, constraints });

/** Drizzle's function with the type that Ponder derives the keys of `find` and `update` from. */
export const primaryKey = drizzlePrimaryKey as unknown as typeof ponderPrimaryKey;

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
