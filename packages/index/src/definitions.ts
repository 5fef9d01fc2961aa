import type { EndpointLabel } from "@app-registry/sdk";
import { sql } from "drizzle-orm";
import { index } from "drizzle-orm/pg-core";
import { define, primaryKey, tsvector } from "./define.ts";
import type { DetailLabels } from "./document/parseDocument.ts";

/** Current state of a record: a DID and a major version. Times are Unix seconds. */
export const app = define(
  "app",
  (t) => ({
    // Columns that a search reads in many rows come first: PostgreSQL decodes a row from its beginning.
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
    /** True if another account than the minter finished the last reclaim, which ended the minter's part. */
    hasMinterLost: t.boolean().notNull(),
    owner: t.hex().notNull(),
    mintedAt: t.int8({ mode: "number" }).notNull(),
    /** Publication time of the latest version. */
    publishedAt: t.int8({ mode: "number" }).notNull(),
    /** Time of the last version, status change, transfer or change of its labels by a JSON on the chain. */
    changedAt: t.int8({ mode: "number" }).notNull(),
    changedBlock: t.int8({ mode: "number" }).notNull(),

    /** Contract that stores the JSON which matches dataHash; null while no such JSON is on the chain. */
    pointer: t.hex(),

    // Labels from that JSON.
    name: t.text(),
    description: t.text(),
    publisher: t.text(),
    image: t.text(),
    /** Names and URLs of its endpoints. */
    endpoints: t.jsonb().$type<EndpointLabel[]>().notNull(),
    /** Packages, deprecation reason and successor of an MCP server. */
    details: t.jsonb().$type<DetailLabels>().notNull(),
    /** Trait strings of the JSON whose hashes are in traitHashes. */
    traits: t.text().array().notNull(),
    /** Problems of the JSON. */
    problems: t.jsonb().$type<{ pointer: string; code: string; message: string }[]>().notNull(),
    /** Sort key of the order by name: the folded name, or the DID if there is no name. */
    sortName: t.text().notNull(),
    /** Keys that are equal for names that are equal or look alike; see `getNameKeys`. */
    nameFolded: t.text(),
    nameSkeleton: t.text(),
    /** DID in the format of MCP registry names. */
    serverName: t.text().notNull(),
    /** Site of a did:web (public suffix list with its private section), or its host; for a contract, its chain. */
    site: t.text().notNull(),
    /** Bit flags for missing evidence: 2 control by the minter or holder, 1 on-chain document or attested dataHash. */
    unproven: t.integer().notNull(),
    /** Keys by which its addresses and contracts are looked up: see `listAddressKeys`. */
    addresses: t.text().array().notNull(),
    /** Hosts that *origin* looks up; null without a document: see `listOutsideHosts`. */
    outsideHosts: t.text().array(),
    /** Words for ranking, and the vector for matching: see `buildRecordLexemes`. */
    words: t.text().notNull(),
    searchVector: tsvector().notNull(),
  }),
  (table) => ({
    did: index().on(table.didHash, table.major),
    under: index("app_did").on(sql`${table.did} collate "C"`, table.tokenId),
    newest: index().on(table.status, table.tokenId),
    updated: index().on(table.publishedAt, table.tokenId),
    changed: index().on(table.changedAt, table.tokenId),
    owner: index().on(table.owner, table.tokenId),
    minter: index().on(table.minter, table.tokenId),
    name: index("app_name").on(sql`${table.sortName} collate "C"`, table.tokenId),
    nameFolded: index().on(table.nameFolded, table.status, table.didHash),
    nameSkeleton: index().on(table.nameSkeleton, table.status, table.didHash),
    evidence: index().on(table.status, table.unproven, table.tokenId),
    site: index().on(table.site, table.tokenId),
    addresses: index("app_addresses").using("gin", table.addresses),
    // One index over both, so that a common word and a common trait are intersected within it.
    search: index("app_search").using("gin", table.searchVector, table.traitHashes),
  }),
);

/** Token of a DID and major version. */
export const tokenOfMajor = define(
  "token_of_major",
  (t) => ({
    didHash: t.hex().notNull(),
    major: t.integer().notNull(),
    tokenId: t.bigint().notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.didHash, table.major] }) }),
);

/** Records of a DID. */
export const service = define("service", (t) => ({
  didHash: t.hex().primaryKey(),
  majors: t.integer().array().notNull(),
}));

/** String of a trait hash, from the first document that contained it. */
export const trait = define("trait", (t) => ({
  hash: t.hex().primaryKey(),
  label: t.text().notNull(),
}));

/** Published version of a record, with its dataUrl and dataHash. */
export const version = define(
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

/** Metadata JSON on the chain. The key contains its hash, so one JSON may label several versions of its DID. */
export const document = define(
  "document",
  (t) => ({
    didHash: t.hex().notNull(),
    dataHash: t.hex().notNull(),
    /** Contract whose code is one zero byte followed by the JSON. */
    pointer: t.hex().notNull(),
    /** Size of the JSON in bytes. */
    size: t.integer().notNull(),
    storedAt: t.int8({ mode: "number" }).notNull(),
    name: t.text(),
    description: t.text(),
    publisher: t.text(),
    image: t.text(),
    endpoints: t.jsonb().$type<EndpointLabel[]>().notNull(),
    details: t.jsonb().$type<DetailLabels>(),
    /** All trait strings of the JSON, including those that the record does not list on the chain. */
    traits: t.text().array().notNull(),
    toolNames: t.text().array().notNull(),
    addresses: t.text().array(),
    reached: t.text().array(),
    /** Searchable text: the description and tool descriptions. */
    text: t.text().notNull(),
    problems: t.jsonb().$type<{ pointer: string; code: string; message: string }[]>().notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.didHash, table.dataHash] }) }),
);

/** Latest reclaim of a record by a claimant. */
export const reclaim = define(
  "reclaim",
  (t) => ({
    tokenId: t.bigint().notNull(),
    claimant: t.hex().notNull(),
    /** True if the claimant held the token at the opening. Acts that rest on the minter alone don't end it. */
    isByHolder: t.boolean().notNull(),
    openedAt: t.int8({ mode: "number" }).notNull(),
    /** First second at which the claimant can finish it. */
    finishableFrom: t.int8({ mode: "number" }).notNull(),
    /** First second at which it can no longer be finished. */
    expiresAt: t.int8({ mode: "number" }).notNull(),
    /** Time at which it was finished or dismissed. */
    endedAt: t.int8({ mode: "number" }),
    /** True if it moved the token to its claimant. */
    finished: t.boolean().notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.tokenId, table.claimant] }) }),
);

/** Attestation of a controller by an issuer: its last run, before the issuer's distrust is applied. */
export const didAttestation = define(
  "did_attestation",
  (t) => ({
    didHash: t.hex().notNull(),
    controller: t.hex().notNull(),
    issuer: t.hex().notNull(),
    /** Start of the run; null if the issuer has only revoked. */
    startedAt: t.int8({ mode: "number" }),
    /** Date of the issuer's newest statement, a revocation included. */
    statedAt: t.int8({ mode: "number" }).notNull(),
    maturesAt: t.int8({ mode: "number" }),
    expiresAt: t.int8({ mode: "number" }),
    /** Time at which `expiresAt` last changed or the run began. */
    lengthenedAt: t.int8({ mode: "number" }),
    /** Time at which the issuer revoked it, or a lost challenge or the resolver's owner ended it. */
    endedAt: t.int8({ mode: "number" }),
    /** True if a lost challenge or the owner ended it or confirmed its end. Distrust does not undo such an end. */
    isEndFinal: t.boolean().notNull(),
    /** Time at which the last revocation was recorded; null if the newest statement is an attestation. */
    revokedAt: t.int8({ mode: "number" }),
    /** Transaction of the newest statement. */
    transactionHash: t.hex().notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.didHash, table.controller, table.issuer] }),
    controller: index().on(table.controller),
    issuer: index().on(table.issuer, table.statedAt),
  }),
);

/** Attestation of a dataHash by an issuer: its last run, before the issuer's distrust is applied. */
export const dataHashAttestation = define(
  "data_hash_attestation",
  (t) => ({
    didHash: t.hex().notNull(),
    dataHash: t.hex().notNull(),
    issuer: t.hex().notNull(),
    // These columns match those of did_attestation.
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
export const block = define(
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
export const challenge = define(
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

/** Current or former issuer. */
export const issuer = define("issuer", (t) => ({
  address: t.hex().primaryKey(),
  status: t.text({ enum: ["active", "retired", "distrusted"] }).notNull(),
  addedAt: t.int8({ mode: "number" }).notNull(),
  /** Time from which its statements are void; null unless it is distrusted. */
  distrustedSince: t.int8({ mode: "number" }),
  /** Time at which it was first distrusted. */
  distrustedAt: t.int8({ mode: "number" }),
}));

/** Time limits that the deployment of the resolver fixed. */
export const resolverLimit = define("resolver_limit", (t) => ({
  name: t.text({ enum: ["max_ttl", "maturation", "challenge_period"] }).primaryKey(),
  seconds: t.int8({ mode: "number" }).notNull(),
}));

/** Deployment that the index follows, in one row. The hash of its block differs between chains with the same id. */
export const deploymentBlock = define("deployment_block", (t) => ({
  chainId: t.integer().primaryKey(),
  number: t.int8({ mode: "number" }).notNull(),
  hash: t.hex().notNull(),
  /** Address of its AppRegistry. */
  registry: t.hex().notNull(),
  /** Hash of these definitions, by which a reader recognizes tables of another version. */
  definitions: t.text().notNull(),
}));

/** Last live block, in one row. Like every row, it is reverted by a reorganization or when Ponder redoes a block. */
export const head = define("head", (t) => ({
  chainId: t.integer().primaryKey(),
  number: t.int8({ mode: "number" }).notNull(),
  hash: t.hex().notNull(),
  timestamp: t.int8({ mode: "number" }).notNull(),
}));
