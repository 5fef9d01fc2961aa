import { getSite } from "@app-registry/outbound/site";
import {
  type CanonicalDid,
  getContractId,
  getRelation,
  InvalidDidError,
  type Lookup,
  type LookupMatch,
  lookupUses,
  normalizeDid,
  type SearchResult,
  type Subject,
} from "@app-registry/sdk";
import {
  claimReasons,
  getDidContract,
  hashCanonicalDid,
  hostDids,
  isInside,
  isLocalhostName,
  listSubjectAddresses,
} from "@app-registry/sdk/internal";
import { type Column, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { addressUses, getDidSite, toAddressKey } from "./document/keys.ts";
import { buildBelowFilter, controlling, isLinkedTo, labels } from "./search/filters.ts";
import { readResults } from "./search/records.ts";
import { prepareRows, type Session, type Sql } from "./session.ts";
import { app } from "./tables.ts";

const keys = ["name_folded", "name_skeleton"] as const;

/**
 * Returns the token ids of records whose name equals, or looks like, that of an Active record of another DID. Returns
 * both records of such a pair, because registering a name first gives no right to it.
 */
export async function sharedNames(session: Session, tokenIds: readonly string[]): Promise<string[]> {
  const ids = sql.join(
    tokenIds.map((tokenId) => sql`${tokenId}::numeric`),
    sql`, `,
  );
  const withLabels = session.hasWorkerTables;
  const column = (name: string) => sql.raw(name);
  const own = (from: Sql, row: string) => sql`
    select app.token_id, app.did_hash, ${column(`${row}.name_folded`)}, ${column(`${row}.name_skeleton`)}
    from ${from} where app.token_id in (${ids})`;
  const labelled = sql`${app} join ${labels.table} on ${labels.isOfRecord}`;
  const asked = withLabels
    ? sql`${own(sql`${app}`, "app")} union all ${own(labelled, "label")}`
    : own(sql`${app}`, "app");
  const other = sql`app.did_hash <> asked.did_hash and app.status = 0`;
  const found = keys.flatMap((key) => [
    sql`exists (select from ${app} where ${column(`app.${key}`)} = ${column(`asked.${key}`)} and ${other})`,
    ...(withLabels
      ? [
          sql`exists (select from ${labelled} where ${column(`label.${key}`)} = ${column(`asked.${key}`)} and ${other})`,
        ]
      : []),
  ]);
  const { rows } = await session.db.execute<{ token_id: string }>(sql`
    select distinct asked.token_id::text as token_id from (${asked}) asked
    where ${sql.join(found, sql` or `)}`);
  return rows.map(({ token_id }) => token_id);
}

/** Most services of each group of an answer. */
const MAX_MATCHES = 20;

/** Most parts of a path that a DID of the address may have. */
const MAX_SEGMENTS = 16;

type Use = LookupMatch["uses"][number];

const accountUses = ["contract", "payTo"] as const;

/** Record that has a subject. */
type Found = {
  tokenId: string;
  uses: Use[];
  /** True if the record's DID, while it is controlled, or its controller proves the subject. */
  isProven: boolean;
};

/**
 * Looks up the services that have a subject. Reads those that can prove it first, so that no number of false claims
 * hides them.
 *
 * @param block The index's last block
 */
export async function lookUp(session: Session, subject: Subject, block: number): Promise<Lookup> {
  const found = mergeByRecord([
    ...(await findRecords(session, subject)),
    ...(await findByAddress(session, subject)),
  ]);
  const results = await readResults(session, [...found.keys()]);
  const matches = results.map((service): LookupMatch & { isExact: boolean } => {
    const { uses, isProven } = found.get(service.tokenId) as Found;
    const isSubject = subject.kind === "did" || subject.kind === "token";
    const isExact = isSubject || (isProven && service.facts?.control === "pass");
    const match = { isExact, service, uses: lookupUses.filter((use) => uses.includes(use)) };
    return isExact ? match : { ...match, reason: explainClaim(subject, isProven) };
  });
  const group = (wanted: boolean): LookupMatch[] =>
    matches
      .filter(({ isExact }) => isExact === wanted)
      .map(({ isExact: _, ...match }) => match)
      .slice(0, MAX_MATCHES);
  const exact = group(true);
  const near = exact.length > 0 ? [] : await findNear(session, subject, found);
  return {
    subject: { kind: subject.kind, text: subject.text },
    exact,
    claimed: group(false),
    near: near.map((service) => ({ service, uses: [] })),
    block,
  };
}

function mergeByRecord(rows: readonly Found[]): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const row of rows) {
    const known = found.get(row.tokenId);
    found.set(
      row.tokenId,
      known ? { ...row, uses: [...known.uses, ...row.uses], isProven: known.isProven || row.isProven } : row,
    );
  }
  return found;
}

function explainClaim({ kind }: Subject, isProven: boolean): string {
  return claimReasons[isProven ? "uncontrolled" : kind === "account" ? "account" : "address"];
}

/** Finds the records whose DID or token id the subject is, Active records of high majors first. */
async function findRecords(session: Session, subject: Subject): Promise<Found[]> {
  if (subject.kind === "token") {
    const ids = await selectIds(
      session,
      sql`select token_id from ${app} where token_id = ${subject.tokenId}::numeric`,
    );
    return ids.map((tokenId) => ({ tokenId, uses: ["token"], isProven: true }));
  }
  const did = getDid(subject);
  if (did === undefined) return [];
  const ids = await selectIds(
    session,
    sql`select token_id from ${app} where did_hash = ${hashCanonicalDid(did)}
      order by status <> 0, major desc limit ${MAX_MATCHES}::int`,
  );
  return ids.map((tokenId) => ({ tokenId, uses: ["did"], isProven: true }));
}

function getDid(subject: Subject): CanonicalDid | undefined {
  if (subject.kind === "did" || subject.kind === "domain") return subject.did;
  if (subject.kind === "url") return getPathDid(subject.text);
  const isContract = subject.kind === "account" && subject.text.startsWith("eip155:");
  return isContract ? normalizeDid(`did:pkh:${subject.text}`) : undefined;
}

/** Returns the DID of the host and path of an address, as pages show it, or `undefined` for an address with a query. */
function getPathDid(address: string): CanonicalDid | undefined {
  const { protocol, hostname, port, pathname, search } = new URL(address);
  const [host, hostWithPort] = hostDids({ url: address });
  const named = port === "" ? host : hostWithPort;
  const isHostOfDid = protocol === "https:" || (protocol === "http:" && isLocalhostName(hostname));
  if (named === undefined || !isHostOfDid || search !== "") return undefined;
  // The list lacks paths that no DID can have.
  const parts = named.split(":").length + pathname.split("/").length - 1;
  return listPathDids(named, address).find((did) => did.split(":").length === parts);
}

async function selectIds({ db }: Session, select: Sql): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`select token_id::text as id from (${select}) found`);
  return rows.map(({ id }) => id);
}

type AddressRow = {
  token_id: string;
  did: string;
  addresses: string[];
  is_linked: boolean;
  controllers: string[] | null;
};

/** Prepares the query of the records with any of some keys: planning its views takes longer than running it. */
function prepareAddressRows(hasTables: boolean) {
  const isLinked = isLinkedTo(sql`${sql.placeholder("hosts")}::text[]`);
  const select = (from: Sql, row: Sql) => sql`
    select app.token_id, app.did, app.status, ${row}.addresses, ${isLinked} as is_linked,
      app.did_hash = any (${sql.placeholder("proving")}::text[])
        or app.site = ${sql.placeholder("site")}::text and app.did !~ '^did:web:[^:]*[:%]' as is_proving,
      (select array_agg(run.controller) ${controlling}) as controllers
    from ${from} where ${row}.addresses && ${sql.placeholder("keys")}::text[]`;
  const parts = [
    select(sql`${app}`, sql`app`),
    ...(hasTables ? [select(sql`${app} join ${labels.table} on ${labels.isOfRecord}`, sql`label`)] : []),
  ];
  return prepareRows<AddressRow>(
    sql`select token_id::text, did, addresses, is_linked, controllers from (${sql.join(parts, sql` union all `)}) found
      order by coalesce(is_proving, false) or is_linked desc, status <> 0, found.token_id desc limit ${sql.raw(String(2 * MAX_MATCHES))}`,
    `lookup ${hasTables}`,
  );
}

const addressRows = new LRUCache({ max: 2, memoMethod: prepareAddressRows });

/**
 * Finds the records that list an address or account. Those whose DID can prove it come first: the DIDs of its host and
 * of the paths above it, those of whole hosts of its site, and those whose controller controls its host. Anyone may
 * register further paths of a host that tenants share.
 */
async function findByAddress(session: Session, subject: Subject): Promise<Found[]> {
  const isAccount = subject.kind === "account";
  const names = isAccount ? [subject.text] : listSubjectAddresses(subject);
  const [name] = names;
  if (name === undefined) return [];
  const uses: readonly Use[] = isAccount ? accountUses : addressUses;
  const keys = uses.flatMap((use) => names.map((one) => toAddressKey(use, one)));
  const hosts = isAccount ? [] : hostDids({ url: name });
  const rows = await addressRows.memo(session.hasWorkerTables)(session, {
    keys,
    hosts: hosts.map(hashCanonicalDid),
    proving: hosts.flatMap((did) => listPathDids(did, name)).map(hashCanonicalDid),
    site: hosts[0] === undefined ? null : getDidSite(hosts[0]),
  });
  return rows.map(({ token_id: tokenId, did, addresses, is_linked, controllers }) => ({
    tokenId,
    uses: uses.filter((use) => names.some((one) => addresses.includes(toAddressKey(use, one)))),
    isProven: isAccount
      ? isProvenAccount(did, name, controllers ?? [])
      : is_linked || isInside(getRelation(did, name, getSite)),
  }));
}

/** Lists the DID of a host and those of the paths that lead to one of its addresses. */
function listPathDids(host: string, url: string): CanonicalDid[] {
  const segments = new URL(url).pathname.split("/").slice(1, 1 + MAX_SEGMENTS);
  const dids = [host, ...segments.map((_, index) => [host, ...segments.slice(0, index + 1)].join(":"))];
  return dids.flatMap((did) => {
    try {
      return [normalizeDid(did)];
    } catch (error) {
      if (error instanceof InvalidDidError) return [];
      throw error;
    }
  });
}

/** Returns true if an account is the contract of a DID, or controls it. Compares without the chain if it has none. */
function isProvenAccount(did: string, account: string, controllers: readonly string[]): boolean {
  const isContract = account === getContractId(did) || account === getDidContract(did)?.address;
  return isContract || controllers.includes(account.split(":").at(-1) ?? "");
}

/** Finds other records of an address's host, then of its site, and of a name in the MCP registry's form. */
async function findNear(
  session: Session,
  subject: Subject,
  known: ReadonlyMap<string, unknown>,
): Promise<SearchResult[]> {
  const [address] = listSubjectAddresses(subject);
  const hosts = address === undefined ? [] : hostDids({ url: address });
  const [host] = hosts;
  if (host === undefined) return [];
  const limit = MAX_MATCHES + known.size;
  const named = subject.kind === "url" ? subject.named : undefined;
  const listed = (condition: Sql, order: Sql | Column) => sql`(
    select token_id from ${app} where ${condition} order by ${order}, token_id limit ${limit}::int)`;
  const parts = [
    ...(named === undefined ? [] : [listed(sql`did_hash = ${hashCanonicalDid(named)}`, sql`major`)]),
    // One range of an index each: for both in one condition, PostgreSQL would read the index from its beginning.
    ...hosts.map((did) => listed(sql`did_hash = ${hashCanonicalDid(did)}`, sql`major`)),
    ...hosts.map((did) => listed(buildBelowFilter(did), sql`did collate "C"`)),
    listed(sql`site = ${getDidSite(host)}`, sql`site`),
  ];
  const ids = [...new Set(await selectIds(session, sql.join(parts, sql` union all `) as Sql))];
  return readResults(session, ids.filter((id) => !known.has(id)).slice(0, MAX_MATCHES));
}
