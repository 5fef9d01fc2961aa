import type { EndpointLabel } from "@app-registry/sdk";
import { boolean, hex, index, int8, onchainTable, onchainView, primaryKey, sql } from "ponder";
import { readRun } from "./src/control/runs.ts";
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
    /** Names that are the same, or look the same, have the same keys; see `nameKeys`. */
    nameFolded: t.text(),
    nameSkeleton: t.text(),
    /** The DID as MCP registries write names; null where that is longer than they take. */
    serverName: t.text(),
    /** The site of a did:web's host by the public suffix list, its private section included, or the host; the chain of a contract. */
    site: t.text().notNull(),
    /** Evidence that is missing: 2 control by the minter or holder, 1 a document on the chain or an attested dataHash. */
    unproven: t.integer().notNull(),
    /** What a record is ranked by, and what it is found by: see `recordWords`. */
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

/** The last reclaim of a record by a claimant. */
export const reclaim = onchainTable(
  "reclaim",
  (t) => ({
    tokenId: t.bigint().notNull(),
    claimant: t.hex().notNull(),
    openedAt: t.int8({ mode: "number" }).notNull(),
    /** First second at which the claimant can finish it. */
    finishableFrom: t.int8({ mode: "number" }).notNull(),
    /** First second at which it is void. */
    voidFrom: t.int8({ mode: "number" }).notNull(),
    /** When it was finished, or another claimant's, which ends all of the record. */
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
    /** When the run began; null when the issuer only ever revoked. */
    startedAt: t.int8({ mode: "number" }),
    /** Date of the issuer's newest statement, a revocation included. */
    statedAt: t.int8({ mode: "number" }).notNull(),
    /** 1099511627775 when it never settles. */
    settlesAt: t.int8({ mode: "number" }),
    expiresAt: t.int8({ mode: "number" }),
    /** When the issuer revoked it, or an ousting or the resolver's owner ended it. */
    endedAt: t.int8({ mode: "number" }),
    /** An ousting or the owner ended it, or left its end in place: no distrust undoes the end. */
    isEndFinal: t.boolean().notNull(),
    /** A controller who counted vouched for the run. */
    vouched: t.boolean().notNull(),
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
    endedAt: t.int8({ mode: "number" }),
    isEndFinal: t.boolean().notNull(),
    transactionHash: t.hex().notNull(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.didHash, table.dataHash, table.issuer] }),
    issuer: index().on(table.issuer, table.statedAt),
  }),
);

/** The last vouch of a controller for another. */
export const vouch = onchainTable(
  "vouch",
  (t) => ({
    didHash: t.hex().notNull(),
    controller: t.hex().notNull(),
    voucher: t.hex().notNull(),
    vouchedAt: t.int8({ mode: "number" }).notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.didHash, table.controller, table.voucher] }) }),
);

/** The last objection of an author to an account. Whether it is in force is the resolver's to say. */
export const objection = onchainTable(
  "objection",
  (t) => ({
    didHash: t.hex().notNull(),
    account: t.hex().notNull(),
    author: t.hex().notNull(),
    objectedAt: t.int8({ mode: "number" }).notNull(),
    /** When it was withdrawn or replaced. */
    endedAt: t.int8({ mode: "number" }),
    /** The author whose objection took its place. */
    replacedBy: t.hex(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.didHash, table.account, table.author] }) }),
);

/** The last challenge of an incumbent by a challenger; what is null is so until it is won. */
export const challenge = onchainTable(
  "challenge",
  (t) => ({
    didHash: t.hex().notNull(),
    incumbent: t.hex().notNull(),
    challenger: t.hex().notNull(),
    openedAt: t.int8({ mode: "number" }).notNull(),
    resolvableFrom: t.int8({ mode: "number" }).notNull(),
    voidFrom: t.int8({ mode: "number" }).notNull(),
    wonAt: t.int8({ mode: "number" }),
    score: t.integer(),
    standing: t.integer(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.didHash, table.incumbent, table.challenger] }) }),
);

/** When a controller of a DID lost a challenge last: the runs that had begun by then are over. */
export const ousting = onchainTable(
  "ousting",
  (t) => ({
    didHash: t.hex().notNull(),
    controller: t.hex().notNull(),
    oustedAt: t.int8({ mode: "number" }).notNull(),
  }),
  (table) => ({ key: primaryKey({ columns: [table.didHash, table.controller] }) }),
);

/** An account that is or was an issuer. */
export const issuer = onchainTable("issuer", (t) => ({
  address: t.hex().primaryKey(),
  status: t.text({ enum: ["active", "retired", "distrusted"] }).notNull(),
  addedAt: t.int8({ mode: "number" }).notNull(),
  /** What it stated since then is void; null unless it is distrusted. */
  distrustedSince: t.int8({ mode: "number" }),
}));

/** What the resolver's owner set: max_ttl, maturation and challenge_period. */
export const resolverLimit = onchainTable("resolver_limit", (t) => ({
  name: t.text({ enum: ["max_ttl", "maturation", "challenge_period"] }).primaryKey(),
  seconds: t.int8({ mode: "number" }).notNull(),
  updatedAt: t.int8({ mode: "number" }).notNull(),
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

const didRun = readRun(didAttestation, issuer.distrustedSince);
const dataHashRun = readRun(dataHashAttestation, issuer.distrustedSince);

/**
 * The time at which a run is looked at: that of the last live block. While an indexer that was started again catches up, the
 * rows are ahead of it, and the run's own times are later.
 */
const timeOf = ({ startedAt, endedAt }: typeof didAttestation | typeof dataHashAttestation) =>
  sql`greatest(${head.timestamp}, ${startedAt}, ${endedAt})`;

/** The attestations of controllers that are live at the last block; `expiresAt` is what distrust leaves of it. */
export const liveDidAttestation = onchainView("live_did_attestation", {
  didHash: hex().notNull(),
  controller: hex().notNull(),
  issuer: hex().notNull(),
  startedAt: int8({ mode: "number" }).notNull(),
  statedAt: int8({ mode: "number" }).notNull(),
  settlesAt: int8({ mode: "number" }).notNull(),
  expiresAt: int8({ mode: "number" }).notNull(),
  vouched: boolean().notNull(),
  settled: boolean().notNull(),
}).as(sql`
  select ${didAttestation.didHash}, ${didAttestation.controller}, ${didAttestation.issuer},
    ${didAttestation.startedAt}, ${didAttestation.statedAt}, ${didAttestation.settlesAt},
    ${didRun.expiresAt} as expires_at, ${didAttestation.vouched},
    ${didAttestation.settlesAt} <= ${timeOf(didAttestation)} as settled
  from ${didAttestation}
  join ${issuer} on ${issuer.address} = ${didAttestation.issuer}
  join ${head} on ${didRun.isLiveAt(timeOf(didAttestation))}`);

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
  join ${head} on ${dataHashRun.isLiveAt(timeOf(dataHashAttestation))}`);
