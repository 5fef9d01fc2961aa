import type { PgColumnBuilderBase, PgTableExtraConfig } from "drizzle-orm/pg-core";
import { primaryKey as drizzlePrimaryKey } from "drizzle-orm/pg-core";
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
