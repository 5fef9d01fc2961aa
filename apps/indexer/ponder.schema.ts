import type { Definition } from "@app-registry/index/define";
import * as definitions from "@app-registry/index/definitions";
import { applyDistrust } from "@app-registry/index/evidence";
import { definitionsHash } from "@app-registry/index/tables";
import type { PgColumnBuilderBase, PgTableExtraConfig } from "drizzle-orm/pg-core";
import { alias, boolean, hex, int8, onchainTable, onchainView, sql } from "ponder";

// Ponder recognizes a changed schema by the text of this file, so it must change with the definitions.
const DEFINITIONS_HASH: string = "0x0b7fb6749750da92cddfdfabe3c3579655ace8547c79455e87ccd812989ee2cc";
if (DEFINITIONS_HASH !== definitionsHash)
  throw new Error(`The definitions have changed. Set DEFINITIONS_HASH to ${definitionsHash}.`);

const build = <
  Name extends string,
  Columns extends Record<string, PgColumnBuilderBase>,
  Extra extends PgTableExtraConfig | undefined,
>({
  name,
  columns,
  constraints,
}: Definition<Name, Columns, Extra>) =>
  onchainTable<Name, Columns, Extra>(
    name as Parameters<typeof onchainTable<Name, Columns, Extra>>[0],
    columns,
    constraints,
  );

export const app = build(definitions.app);
export const tokenOfMajor = build(definitions.tokenOfMajor);
export const service = build(definitions.service);
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

const didRun = applyDistrust(didAttestation, issuer);
const dataHashRun = applyDistrust(dataHashAttestation, issuer);

/**
 * Returns the time at which a run is evaluated: that of the last live block. While a restarted indexer catches up, rows
 * may be newer than this block, so a later time of the run itself takes precedence.
 */
const getTime = ({ startedAt, endedAt }: typeof didAttestation | typeof dataHashAttestation) =>
  sql`greatest(${head.timestamp}, ${startedAt}, ${endedAt})`;

const other = alias(didAttestation, "other");
const otherIssuer = alias(issuer, "other_issuer");
const otherRun = applyDistrust(other, otherIssuer);
const didNow = getTime(didAttestation);

/**
 * Joins the unexpired block on the account of a run, if it began before the run matures, and counts the issuers that
 * its weight must at least equal. This is a join because Ponder rejects subqueries in the expressions of a view.
 */
const joinBlock = sql`
  left join ${block} on ${block.didHash} = ${didAttestation.didHash} and ${block.account} = ${didAttestation.controller}
    and ${block.blockedAt} < ${didAttestation.maturesAt} and ${block.blockedUntil} > ${didNow}
    and ${block.unblockedAt} is null
  left join lateral (
    select count(*) as issuers from ${didAttestation} ${other}
    join ${issuer} ${otherIssuer} on ${otherIssuer.address} = ${other.issuer}
    join ${resolverLimit} on ${resolverLimit.name} = 'challenge_period'
    where ${other.didHash} = ${block.didHash} and ${other.controller} = ${block.account}
      and ${otherRun.isRenewableAt(didNow)} and ${other.maturesAt} + ${resolverLimit.seconds} <= ${didNow}
      and ${other.maturesAt} + ${resolverLimit.seconds} < ${otherRun.expiresAt}) backing on true`;

/**
 * Attestations of controllers that are live at the last block, after the distrust of issuers is applied. An account
 * controls the DID if one of its attestations is matured and not blocked.
 */
export const liveDidAttestation = onchainView("live_did_attestation", {
  didHash: hex().notNull(),
  controller: hex().notNull(),
  issuer: hex().notNull(),
  startedAt: int8({ mode: "number" }).notNull(),
  statedAt: int8({ mode: "number" }).notNull(),
  maturesAt: int8({ mode: "number" }).notNull(),
  expiresAt: int8({ mode: "number" }).notNull(),
  matured: boolean().notNull(),
  blocked: boolean().notNull(),
}).as(sql`
  select ${didAttestation.didHash}, ${didAttestation.controller}, ${didAttestation.issuer},
    ${didAttestation.startedAt}, ${didAttestation.statedAt}, ${didAttestation.maturesAt},
    ${didRun.expiresAt} as expires_at, ${didAttestation.maturesAt} <= ${didNow} as matured,
    coalesce(${block.weight} >= backing.issuers, false) as blocked
  from ${didAttestation}
  join ${issuer} on ${issuer.address} = ${didAttestation.issuer}
  join ${head} on ${didRun.isLiveAt(didNow)}
  ${joinBlock}`);

/** Attestations of dataHashes that are live at the last block. */
export const liveDataHashAttestation = onchainView("live_data_hash_attestation", {
  didHash: hex().notNull(),
  dataHash: hex().notNull(),
  issuer: hex().notNull(),
  startedAt: int8({ mode: "number" }).notNull(),
  statedAt: int8({ mode: "number" }).notNull(),
  expiresAt: int8({ mode: "number" }).notNull(),
}).as(sql`
  select ${dataHashAttestation.didHash}, ${dataHashAttestation.dataHash}, ${dataHashAttestation.issuer},
    ${dataHashAttestation.startedAt}, ${dataHashAttestation.statedAt}, ${dataHashRun.expiresAt} as expires_at
  from ${dataHashAttestation}
  join ${issuer} on ${issuer.address} = ${dataHashAttestation.issuer}
  join ${head} on ${dataHashRun.isLiveAt(getTime(dataHashAttestation))}`);
