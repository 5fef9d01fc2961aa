import type { EndpointLabel } from "@app-registry/sdk";
import { alias, boolean, hex, index, int8, onchainTable, onchainView, primaryKey, sql } from "ponder";
import { applyDistrust } from "./src/control/runs.ts";
import { tsvector } from "./tsvector.ts";

/** One record: a service (DID) and major version, as it stands now. Times are Unix seconds. */
export const app = onchainTable(
  "app",
  (t) => ({
    // What a search looks at in many rows comes first: PostgreSQL reads a row from its beginning.
    tokenId: t.bigint().primaryKey(),
    /** 0 Active, 1 Deprecated, 2 Replaced. */
    status: t.integer().notNull(),
    /** Bitmap: 1 Human, 2 API, 4 Contract. */
    interfaces: t.integer().notNull(),
    traitHashes: t.hex().array().notNull(),
    didHash: t.hex().notNull(),
    did: t.text().notNull(),
    major: t.integer().notNull(),
    minor: t.integer().notNull(),
    patch: t.integer().notNull(),
    dataUrl: t.text().notNull(),
    dataHash: t.hex().notNull(),
    /** 0 keccak256, 1 sha256. */
    dataHashAlgorithm: t.integer().notNull(),
    contractId: t.text().notNull(),
    fungibleTokenId: t.text().notNull(),
    minter: t.hex().notNull(),
    owner: t.hex().notNull(),
    mintedAt: t.int8({ mode: "number" }).notNull(),
    /** When the latest version was published. */
    publishedAt: t.int8({ mode: "number" }).notNull(),
    /** Last version, status change, transfer or change of its labels by a JSON on the chain. */
    changedAt: t.int8({ mode: "number" }).notNull(),
    changedBlock: t.int8({ mode: "number" }).notNull(),

    /** Contract that holds the JSON which hashes to dataHash; null while no such JSON is on the chain. */
    pointer: t.hex(),

    // Labels out of that JSON.
    name: t.text(),
    description: t.text(),
    publisher: t.text(),
    image: t.text(),
    /** Where it is reached. */
    endpoints: t.jsonb().$type<EndpointLabel[]>().notNull(),
    /** The JSON's trait strings whose hash stands in traitHashes. */
    traits: t.text().array().notNull(),
    /** What is wrong with the JSON: {pointer, code, message}. */
    problems: t.jsonb().$type<{ pointer: string; code: string; message: string }[]>().notNull(),
    /** Folded name, or the DID of a record without one: the order by name. */
    sortName: t.text().notNull(),
    /** Names that are the same, or look the same, have the same keys; see `getNameKeys`. */
    nameFolded: t.text(),
    nameSkeleton: t.text(),
    /** The DID as MCP registries write names; null where that is longer than they take. */
    serverName: t.text(),
    /** The site of a did:web's host by the public suffix list, its private section included, or the host; the chain of a contract. */
    site: t.text().notNull(),
    /** Evidence that is missing: 2 control by the minter or holder, 1 a document on the chain or an attested dataHash. */
    unproven: t.integer().notNull(),
    /** What a record is ranked by, and what it is found by: see `buildRecordLexemes`. */
    words: t.text().notNull(),
    searchVector: tsvector().notNull(),
  }),
  (table) => ({
    did: index().on(table.didHash, table.major),
    didPrefix: index("app_did").on(sql`${table.did} collate "C"`, table.tokenId),
    newest: index().on(table.status, table.tokenId),
    updated: index().on(table.publishedAt, table.tokenId),
    changed: index().on(table.changedAt, table.tokenId),
    owner: index().on(table.owner, table.tokenId),
    minter: index().on(table.minter, table.tokenId),
    name: index("app_name").on(sql`${table.sortName} collate "C"`, table.tokenId),
    nameFolded: index().on(table.nameFolded, table.status, table.didHash),
    nameSkeleton: index().on(table.nameSkeleton, table.status, table.didHash),
    evidence: index().on(table.status, table.unproven, table.tokenId),
    // Both in one index: a word and a trait that many records have meet there, not in long lists of each.
    search: index("app_search").using("gin", table.searchVector, table.traitHashes),
  }),
);

/** The token of a DID and major version. */
export const tokenOfMajor = onchainTable(
  "token_of_major",
  (t) => ({
    didHash: t.hex().notNull(),
    major: t.integer().notNull(),
    tokenId: t.bigint().notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.didHash, table.major] }) }),
);

/** The records of a DID. */
export const service = onchainTable("service", (t) => ({
  didHash: t.hex().primaryKey(),
  majors: t.integer().array().notNull(),
}));

/** The word behind a trait hash, out of the first document that told it. */
export const trait = onchainTable("trait", (t) => ({
  hash: t.hex().primaryKey(),
  label: t.text().notNull(),
}));

/** Every published version of a record, with what it pointed to. */
export const version = onchainTable(
  "version",
  (t) => ({
    tokenId: t.bigint().notNull(),
    major: t.integer().notNull(),
    minor: t.integer().notNull(),
    patch: t.integer().notNull(),
    didHash: t.hex().notNull(),
    did: t.text().notNull(),
    interfaces: t.integer().notNull(),
    dataUrl: t.text().notNull(),
    dataHash: t.hex().notNull(),
    dataHashAlgorithm: t.integer().notNull(),
    traitHashes: t.hex().array().notNull(),
    registeredAt: t.int8({ mode: "number" }).notNull(),
    block: t.int8({ mode: "number" }).notNull(),
    transactionHash: t.hex().notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.tokenId, table.minor, table.patch] }),
    did: index().on(table.didHash, table.major, table.minor, table.patch),
  }),
);

/** A metadata JSON on the chain. Its hash names it, so one JSON may label several versions of its DID. */
export const document = onchainTable(
  "document",
  (t) => ({
    didHash: t.hex().notNull(),
    dataHash: t.hex().notNull(),
    /** Contract whose code is one zero byte followed by the JSON. */
    pointer: t.hex().notNull(),
    /** Bytes of the JSON. */
    size: t.integer().notNull(),
    storedAt: t.int8({ mode: "number" }).notNull(),
    name: t.text(),
    description: t.text(),
    publisher: t.text(),
    image: t.text(),
    endpoints: t.jsonb().$type<EndpointLabel[]>().notNull(),
    /** Every trait string of the JSON; whether a record carries it on the chain is the record's matter. */
    traits: t.text().array().notNull(),
    toolNames: t.text().array().notNull(),
    /** Description and tool descriptions as they are searched. */
    text: t.text().notNull(),
    problems: t.jsonb().$type<{ pointer: string; code: string; message: string }[]>().notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.didHash, table.dataHash] }) }),
);

/** Latest reclaim of a record by a claimant. */
export const reclaim = onchainTable(
  "reclaim",
  (t) => ({
    tokenId: t.bigint().notNull(),
    claimant: t.hex().notNull(),
    openedAt: t.int8({ mode: "number" }).notNull(),
    /** First second at which the claimant can finish it. */
    finishableFrom: t.int8({ mode: "number" }).notNull(),
    /** First second at which it can no longer be finished. */
    expiresAt: t.int8({ mode: "number" }).notNull(),
    /** When it was finished or dismissed. */
    endedAt: t.int8({ mode: "number" }),
    /** It moved the token to its claimant. */
    finished: t.boolean().notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.tokenId, table.claimant] }) }),
);

/** What an issuer stated of a controller of a DID: its last run, as it was written. */
export const didAttestation = onchainTable(
  "did_attestation",
  (t) => ({
    didHash: t.hex().notNull(),
    controller: t.hex().notNull(),
    issuer: t.hex().notNull(),
    /** When the run began; null if the issuer has only revoked. */
    startedAt: t.int8({ mode: "number" }),
    /** Date of the issuer's newest statement, a revocation included. */
    statedAt: t.int8({ mode: "number" }).notNull(),
    maturesAt: t.int8({ mode: "number" }),
    expiresAt: t.int8({ mode: "number" }),
    /** When `expiresAt` was last moved, or the run began. */
    lengthenedAt: t.int8({ mode: "number" }),
    /** When the issuer revoked it, or a lost challenge or the resolver's owner ended it. */
    endedAt: t.int8({ mode: "number" }),
    /** A lost challenge or the owner ended it, or left its end in place: no distrust undoes the end. */
    isEndFinal: t.boolean().notNull(),
    /** When the last revocation was recorded; null if the newest statement is an attestation. */
    revokedAt: t.int8({ mode: "number" }),
    /** Of the newest statement. */
    transactionHash: t.hex().notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.didHash, table.controller, table.issuer] }),
    controller: index().on(table.controller),
    issuer: index().on(table.issuer, table.statedAt),
  }),
);

/** What an issuer stated of a dataHash: its last run, as it was written. */
export const dataHashAttestation = onchainTable(
  "data_hash_attestation",
  (t) => ({
    didHash: t.hex().notNull(),
    dataHash: t.hex().notNull(),
    issuer: t.hex().notNull(),
    // As in did_attestation.
    startedAt: t.int8({ mode: "number" }),
    statedAt: t.int8({ mode: "number" }).notNull(),
    expiresAt: t.int8({ mode: "number" }),
    lengthenedAt: t.int8({ mode: "number" }),
    endedAt: t.int8({ mode: "number" }),
    isEndFinal: t.boolean().notNull(),
    revokedAt: t.int8({ mode: "number" }),
    transactionHash: t.hex().notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.didHash, table.dataHash, table.issuer] }),
    issuer: index().on(table.issuer, table.statedAt),
  }),
);

/** Latest block on an account. It has ended at `blockedUntil`, or at `unblockedAt`. */
export const block = onchainTable(
  "block",
  (t) => ({
    didHash: t.hex().notNull(),
    account: t.hex().notNull(),
    /** Controller that began or last extended it. */
    author: t.hex().notNull(),
    blockedAt: t.int8({ mode: "number" }).notNull(),
    blockedUntil: t.int8({ mode: "number" }).notNull(),
    /** Number of issuers that the account's issuers must outnumber. */
    weight: t.integer().notNull(),
    unblockedAt: t.int8({ mode: "number" }),
  }),
  (table) => ({ key: primaryKey({ columns: [table.didHash, table.account] }) }),
);

/** Latest challenge of an incumbent by a challenger. `wonAt`, `score` and `resistance` are null until it is won. */
export const challenge = onchainTable(
  "challenge",
  (t) => ({
    didHash: t.hex().notNull(),
    incumbent: t.hex().notNull(),
    challenger: t.hex().notNull(),
    openedAt: t.int8({ mode: "number" }).notNull(),
    resolvableFrom: t.int8({ mode: "number" }).notNull(),
    expiresAt: t.int8({ mode: "number" }).notNull(),
    wonAt: t.int8({ mode: "number" }),
    score: t.integer(),
    resistance: t.integer(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.didHash, table.incumbent, table.challenger] }) }),
);

/** An account that is or was an issuer. */
export const issuer = onchainTable("issuer", (t) => ({
  address: t.hex().primaryKey(),
  status: t.text({ enum: ["active", "retired", "distrusted"] }).notNull(),
  addedAt: t.int8({ mode: "number" }).notNull(),
  /** What it stated since then is void; null unless it is distrusted. */
  distrustedSince: t.int8({ mode: "number" }),
  /** When it was first distrusted. */
  distrustedAt: t.int8({ mode: "number" }),
}));

/** Times that the resolver was deployed with. */
export const resolverLimit = onchainTable("resolver_limit", (t) => ({
  name: t.text({ enum: ["max_ttl", "maturation", "challenge_period"] }).primaryKey(),
  seconds: t.int8({ mode: "number" }).notNull(),
}));

/** The block of the deployment, one row: chains of the same id have other hashes under the same number. */
export const deploymentBlock = onchainTable("deployment_block", (t) => ({
  chainId: t.integer().primaryKey(),
  number: t.int8({ mode: "number" }).notNull(),
  hash: t.hex().notNull(),
}));

/** The last live block, one row: like every row it falls back when the chain does, or when an unfinished one is redone. */
export const head = onchainTable("head", (t) => ({
  chainId: t.integer().primaryKey(),
  number: t.int8({ mode: "number" }).notNull(),
  hash: t.hex().notNull(),
  timestamp: t.int8({ mode: "number" }).notNull(),
}));

const didRun = applyDistrust(didAttestation, issuer);
const dataHashRun = applyDistrust(dataHashAttestation, issuer);

/**
 * The time at which a run is looked at: that of the last live block. While an indexer that was started again catches up, the
 * rows are ahead of it, and the run's own times are later.
 */
const getTime = ({ startedAt, endedAt }: typeof didAttestation | typeof dataHashAttestation) =>
  sql`greatest(${head.timestamp}, ${startedAt}, ${endedAt})`;

const other = alias(didAttestation, "other");
const otherIssuer = alias(issuer, "other_issuer");
const otherRun = applyDistrust(other, otherIssuer);
const didNow = getTime(didAttestation);

/**
 * Joins the block on the account of a run, if it lasts and began before the run matures, with the number of issuers that it
 * must weigh at least as much as. Joins, because Ponder refuses subqueries in the expressions of a view.
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
 * Attestations of controllers that are live at the last block, each as distrust of its issuer leaves it. An account controls
 * the DID if one of its attestations is matured and not blocked.
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

/** The attestations of dataHashes that are live at the last block. */
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
