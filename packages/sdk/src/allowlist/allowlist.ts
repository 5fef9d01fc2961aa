import * as z from "zod/mini";
import { checkArguments } from "../arguments.ts";
import { getLatestBlockNumber } from "../client/events.ts";
import { TimeLimitError } from "../errors/networkErrors.ts";
import { HashAlgorithm, hashDocument } from "../hash.ts";
import { canonicalizeValue } from "../json.ts";
import { isJsonObject, toJsonPointer } from "../jsonValue.ts";
import { MCP_ENDPOINT_NAME } from "../metadata/endpointSchema.ts";
import { locateEndpoints } from "../metadata/getEndpoints.ts";
import type { GetSite } from "../origin.ts";
import { matchesQuery } from "../search/matchesQuery.ts";
import { parseInput, parseSearchQuery, toSearchParams } from "../search/parseSearchQuery.ts";
import { searchAll } from "../search/searchAll.ts";
import type { SearchQueryInput } from "../search/searchQuery.ts";
import type { SearchResult } from "../search/searchResult.ts";
import type { ClassifiedAddress } from "../verify/originFact.ts";
import type { Fact } from "../verify/report.ts";
import { type VerifiedRecord, type VerifyAppParameters, verifyRegistered } from "../verify/verifyApp.ts";
import { parseVersion, type VersionSelector } from "../version.ts";
import { visibleText } from "../visibleText.ts";
import {
  type Allowlist,
  type AllowlistEntry,
  type AllowlistQueryInput,
  allowlistQuerySchema,
  allowlistSchema,
  type OmittedService,
} from "./allowlistSchema.ts";
import { clientRules, toLiteralUrl } from "./clients.ts";

/** Options of the checks. `timeoutMs` is the time limit for one service. */
type Options = Pick<VerifyAppParameters, "client" | "fetchDocument" | "timeoutMs"> & { siteOf: GetSite };

export type CreateAllowlistParameters = Options & {
  query: AllowlistQueryInput;
  /** Proposes records; the chain decides. Default: `searchAll` with the client. */
  search?: ((query: SearchQueryInput) => AsyncIterable<Pick<SearchResult, "did" | "major">>) | undefined;
  /** Maximum number of records to check. Default 100. */
  maxRecords?: number | undefined;
};

export type CreateAllowlistReturnType = {
  allowlist: Allowlist;
  /** Services that were checked but are not in the list, with the reasons. No check confirms them, so no list has them. */
  omitted: OmittedService[];
  /** False if there are more services than were checked. */
  complete: boolean;
};

/** Number of services to check at the same time. */
const CONCURRENCY = 10;

/**
 * Creates a client's list of allowed MCP servers from the services that pass the facts at the latest block. Lists each
 * by the exact URL in its registered document, never by a name or a command. Reads a document from its dataUrl only if
 * the chain has no copy.
 *
 * @throws {InvalidSearchError} when the query is not valid.
 * @throws {TimeLimitError} when the chain does not respond: a list without unchecked services would block them.
 * @example
 * const { allowlist } = await createAllowlist({ client, query: { client: "claude-code" }, siteOf });
 * JSON.stringify(allowlist.file).includes("serverName"); // false
 */
export async function createAllowlist(
  parameters: CreateAllowlistParameters,
): Promise<CreateAllowlistReturnType> {
  checkArguments("client siteOf fetchDocument? timeoutMs?", parameters);
  const { client, maxRecords = 100, search = (query) => searchAll({ client, ...query }) } = parameters;
  const policy = readPolicy(parameters.query);
  const { match, traits = [] } = policy.query;
  // Every MCP server has this trait. Adding it to alternatives would widen the search.
  const mcp = match === "any" ? {} : { traits: [traits, "api:mcp"].flat().join() };
  const records = new Map<string, { did: string; version: VersionSelector }>();
  let complete = true;
  for await (const { did, major } of search({ ...policy.query, ...mcp, limit: 100 })) {
    complete = records.size < maxRecords;
    if (!complete) break;
    records.set(`${did} ${major}`, { did, version: { major } });
  }
  const blockNumber = await getLatestBlockNumber(client);
  const decisions = await decideAll([...records.values()], policy, parameters, blockNumber);
  decisions.sort((one, other) => (`${one.did} ${one.version}` < `${other.did} ${other.version}` ? -1 : 1));
  const entries = decisions.flatMap(({ entry }) => entry ?? []);
  const omitted = decisions.flatMap(({ entry, retryable: _, ...service }) => (entry ? [] : service));
  const { enforced, notEnforced, fileName } = clientRules[policy.client];
  const { chainId, contracts } = client.deployment;
  const list = {
    ...{ ...policy, fileName, file: createFile(policy.client, entries), enforced, notEnforced },
    ...{ chainId, registry: contracts.AppRegistry.address, entries },
  };
  return { allowlist: { ...list, digest: computeDigest(list) }, omitted, complete };
}

/** Problem of an allowlist. `retryable` if a host did not respond, so that the entry may still be valid. */
export type AllowlistProblem = { message: string; retryable: boolean };

export type CheckAllowlistParameters = Options & {
  /** Allowlist, as parsed JSON. */
  allowlist: unknown;
  /** Request for which the list must have been written. Default: the request in the list. */
  query?: AllowlistQueryInput | undefined;
  /** Content of the client's file as deployed, as parsed JSON. Its other settings are not checked. */
  deployed?: unknown;
};

/**
 * Checks an allowlist against the chain at the latest block: each entry must still pass the facts and match the filters,
 * and its URL must be the registered one. Needs no web service. Returns the problems, none if the list is valid.
 *
 * @throws {InvalidSearchError} when a query is not valid.
 * @throws {TimeLimitError} when the chain does not respond.
 * @example
 * const { allowlist } = await createAllowlist({ client, query: { client: "vscode" }, siteOf });
 * await checkAllowlist({ client, allowlist, siteOf }); // []
 */
export async function checkAllowlist(parameters: CheckAllowlistParameters): Promise<AllowlistProblem[]> {
  checkArguments("client siteOf fetchDocument? timeoutMs?", parameters);
  const { client, deployed, query } = parameters;
  const problems: AllowlistProblem[] = [];
  const refuse = (message: string) => problems.push({ message, retryable: false });
  const { data, error } = z.safeParse(allowlistSchema, parameters.allowlist);
  if (!data) {
    const place = toJsonPointer(error.issues[0]?.path ?? []) || "the file";
    refuse(`This is not an allowlist of App Registry: check ${place}.`);
    return problems;
  }
  const { digest, ...list } = data;
  if (computeDigest(list) !== digest) refuse("The list was changed after it was written. Write it again.");
  const { fileName, enforced, notEnforced } = clientRules[list.client];
  if (list.fileName !== fileName || list.enforced !== enforced || list.notEnforced !== notEnforced)
    refuse(`It doesn't say what ${list.client} enforces. Write the list again.`);
  const { chainId, contracts } = client.deployment;
  if (list.chainId !== chainId || list.registry !== contracts.AppRegistry.address)
    refuse(`The list is about another registry: ${list.registry} on chain ${list.chainId}.`);
  const file = createFile(list.client, list.entries);
  if (!isSame(list.file, file))
    refuse("Its file lists other servers than its entries. Write the list again.");
  const settings = isJsonObject(deployed) ? deployed : {};
  if (deployed !== undefined && !isSame({ ...settings, ...file }, settings))
    refuse("The deployed file differs from the list. Deploy the list's file again.");
  const { facts, query: filters } = list;
  const policy = readPolicy({ ...filters, client: list.client, facts });
  if (!isSame({ facts, filters }, { facts: policy.facts, filters: policy.query }))
    refuse("It doesn't name the facts and filters that were checked. Write the list again.");
  if (query && !isSame(readPolicy(query), policy))
    refuse("The list was written for another client, other facts or other filters. Write it again.");
  const records = list.entries.map(({ did, version }) => ({ did, version: parseVersion(version) }));
  const decisions = await decideAll(records, policy, parameters, await getLatestBlockNumber(client));
  for (const [index, { did, entry, reason, retryable }] of decisions.entries()) {
    const { url, version } = list.entries[index] as AllowlistEntry;
    if (!entry) problems.push({ message: `${did} ${version}: ${reason}`, retryable });
    else if (entry.url !== url) refuse(`${did} ${version} registers ${entry.url}, not ${visibleText(url)}.`);
  }
  return problems;
}

const isSame = (one: unknown, other: unknown): boolean =>
  canonicalizeValue(one ?? null) === canonicalizeValue(other ?? null);

const computeDigest = (list: Omit<Allowlist, "digest">) =>
  hashDocument(JSON.stringify(list), HashAlgorithm.sha256).dataHash;

/** Client, required facts and filters of a list. */
type Policy = Pick<Allowlist, "client" | "facts" | "query">;

function readPolicy(input: AllowlistQueryInput): Policy {
  const { client, facts, only: _, ...filters } = parseInput(allowlistQuerySchema, input);
  return { client, facts, query: Object.fromEntries(toSearchParams(filters)) };
}

/** Returns the client's file. Lists a URL once if several records register it. */
function createFile(
  client: Allowlist["client"],
  entries: readonly AllowlistEntry[],
): Record<string, unknown> {
  const urls = [...new Set(entries.map(({ url }) => url))].sort();
  return clientRules[client].createFile(urls.map((serverUrl) => ({ serverUrl })));
}

/** Entry that a record adds to a list, or the reason why it adds none. */
type Decision = { entry?: AllowlistEntry; reason: string; retryable: boolean };

/** Verifies records at one block and decides which of them a list contains. */
async function decideAll(
  records: readonly { did: string; version: VersionSelector }[],
  policy: Policy,
  { client, siteOf, fetchDocument, timeoutMs }: Options,
  blockNumber: bigint,
): Promise<(Decision & { did: string; version: string | null })[]> {
  const decisions = [];
  for (let start = 0; start < records.length; start += CONCURRENCY) {
    const some = records.slice(start, start + CONCURRENCY).map(async (record) => {
      const options = { client, siteOf, fetchDocument, timeoutMs, blockNumber };
      const verified = await verifyRegistered({ ...options, ...record }, true);
      const { did, version } = verified.report;
      return { did, version, ...decideEntry(verified, policy) };
    });
    decisions.push(...(await Promise.all(some)));
  }
  return decisions;
}

/**
 * Decides what a verified record adds to a client's list: one URL, or nothing for a reason.
 * @throws {TimeLimitError} if the chain did not respond.
 */
function decideEntry(
  { report, target, metadata }: VerifiedRecord,
  { client, facts, query }: Policy,
): Decision {
  const omit = (reason: string, retryable = false) => ({ reason: visibleText(reason), retryable });
  const read = facts.map((name) => ({ name, ...report.facts[name] }));
  const open = read.filter(({ outcome }) => outcome !== "pass");
  const unknown = open.filter(({ outcome }) => outcome === "unknown");
  // A host that does not respond concerns one service, a chain that does not respond the whole list.
  const isOfChain = ({ evidence: { error, documents = [] } }: Fact) =>
    error !== undefined || (documents as { source: string }[])[0]?.source === "chain";
  if (unknown.some(isOfChain)) throw new TimeLimitError("The chain's RPC endpoint");
  const verbs = { pass: "passes", fail: "fails", unknown: "is unknown" };
  const sentences = open.map(({ name, outcome, reason }) => `${name} ${verbs[outcome]}: ${reason}`);
  if (!target || open.length > 0) return omit(sentences.join(" "), unknown.length === open.length);
  if (!target.current) return omit("A newer version replaced this one. Write the list again.");
  if (!matchesQuery(target, parseSearchQuery(query)))
    return omit("It doesn't match the filters of the list.");
  const [server, ...others] = locateEndpoints(metadata).filter(
    ({ entry }) => entry.name === MCP_ENDPOINT_NAME,
  );
  const endpoint: unknown = server?.entry.endpoint;
  if (typeof endpoint !== "string" || others.length > 0)
    return omit("It doesn't register one MCP server with a URL. Programs to install are never listed.");
  const url = toLiteralUrl(endpoint);
  if (url === undefined)
    return omit("Clients could match more than its URL. Use https, letters, digits and -._~:/?&=@,+ only.");
  const addresses = report.facts.origin.evidence.addresses as ClassifiedAddress[];
  const { leads } = addresses.find(({ pointer }) => pointer === server?.urlPointer) ?? {};
  const isCased = /[a-z]/i.test(url.slice(new URL(url).origin.length));
  if (clientRules[client].ignoresCase && leads === "same-path" && isCased)
    return omit("The DID proves one path, and this client allows the same path in other capitals, too.");
  const { did, version } = report;
  return { ...omit(""), entry: { did, version: String(version), url } };
}
