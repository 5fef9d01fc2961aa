import { getTableName, is, SQL, sql } from "drizzle-orm";
import {
  customType,
  getTableConfig,
  type PgColumnBuilderBase,
  PgDialect,
  type PgTable,
  pgTable,
} from "drizzle-orm/pg-core";
import { getPgColumnBuilders } from "drizzle-orm/pg-core/columns/all";
import { type Hex, keccak256, stringToBytes } from "viem";
import type { ColumnBuilders, Definition } from "./define.ts";
import * as definitions from "./definitions.ts";

const { bigint: int8, ...builders } = getPgColumnBuilders();
const readerBuilders = {
  ...{ ...builders, int8 },
  hex: customType<{ data: Hex; driverData: string }>({
    dataType: () => "text",
    toDriver: (value) => value.toLowerCase(),
  }),
  bigint: customType<{ data: bigint; driverData: string }>({
    dataType: () => "numeric(78)",
    fromDriver: BigInt,
  }),
} as unknown as ColumnBuilders;

/**
 * Builds a table of the index as its readers use it. It has no schema: the transaction of a read names the schemas in
 * its search path.
 */
const build = <Name extends string, Columns extends Record<string, PgColumnBuilderBase>>({
  name,
  columns,
  constraints,
}: Definition<Name, Columns>) =>
  pgTable(name, columns(readerBuilders), constraints as Parameters<typeof pgTable<Name, Columns>>[2]);

export const app = build(definitions.app);
export const trait = build(definitions.trait);
export const version = build(definitions.version);
export const document = build(definitions.document);
export const reclaim = build(definitions.reclaim);
export const didAttestation = build(definitions.didAttestation);
export const dataHashAttestation = build(definitions.dataHashAttestation);
export const block = build(definitions.block);
export const challenge = build(definitions.challenge);
export const issuer = build(definitions.issuer);
export const resolverLimit = build(definitions.resolverLimit);
export const deploymentBlock = build(definitions.deploymentBlock);
export const head = build(definitions.head);

export const liveDidAttestation = sql.identifier("live_did_attestation");
export const liveDataHashAttestation = sql.identifier("live_data_hash_attestation");

function describeTable(table: PgTable): unknown {
  const { columns, indexes, primaryKeys } = getTableConfig(table);
  const describe = (part: object) =>
    is(part, SQL) ? new PgDialect().sqlToQuery(part).sql : "name" in part && part.name;
  return [
    getTableName(table),
    columns.map((column) => [column.name, column.getSQLType(), column.notNull, column.primary]),
    indexes.map(({ config }) => [config.method, config.columns.map(describe)]),
    primaryKeys.map((key) => key.columns.map(({ name }) => name)),
  ];
}

/** Hash of the definitions, by which a reader recognizes tables of another version. */
export const definitionsHash: Hex = keccak256(
  stringToBytes(
    Object.values<Definition>(definitions as Record<string, Definition>)
      .map((definition) => JSON.stringify(describeTable(build(definition))))
      .sort()
      .join(),
  ),
);
