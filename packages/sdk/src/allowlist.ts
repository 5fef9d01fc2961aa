import * as z from "zod/mini";
import { checkArguments } from "./arguments.ts";
import { getLatestBlockNumber } from "./client/events.ts";
import { isCanonicalDid } from "./did.ts";
import { TimeLimitError } from "./errors/networkErrors.ts";
import { HashAlgorithm, hashDocument } from "./hash.ts";
import { canonicalizeValue, isJsonObject, toJsonPointer } from "./json.ts";
import { isLocalhostName } from "./local.ts";
import { MCP_ENDPOINT_NAME } from "./metadata/endpointSchema.ts";
import { locateEndpoints } from "./metadata/getEndpoints.ts";
import { parseUrl } from "./metadata/safeHref.ts";
import type { GetSite } from "./origin.ts";
import { addressSchema, described, hashSchema } from "./schemas.ts";
import { searchAll } from "./search/searchApps.ts";
import {
  matchesQuery,
  parametersSchema,
  parseInput,
  parseSearchQuery,
  type SearchQueryInput,
  toSearchParams,
} from "./search/searchQuery.ts";
import type { SearchResult } from "./search/searchResult.ts";
import type { ClassifiedAddress } from "./verify/originFact.ts";
import type { Fact } from "./verify/report.ts";
import { type VerifiedRecord, type VerifyAppParameters, verifyRegistered } from "./verify/verifyApp.ts";
import { isVersion, parseVersion, type VersionSelector } from "./version.ts";
import { visibleText } from "./visibleText.ts";

/** Clients whose administrators deploy a list of allowed MCP servers. */
export const allowlistClients = ["copilot", "claude-code", "vscode"] as const;

export type AllowlistClient = (typeof allowlistClients)[number];

const unlisted = "every remote server whose URL is not listed, and every local server.";

const behavior = "No client checks what a listed server does or where it redirects.";

/**
 * File that each client reads, and how the client uses it, as its vendor documented it in November 2026. An empty list
 * blocks every server. Clients also accept names and commands, which prove nothing about a server.
 */
const clientRules = {
  copilot: {
    fileName: "managed-settings.json",
    createFile: (servers: Servers) => ({ allowedMcpServers: servers }),
    // VS Code, which reads this file too, matches URLs without regard to case.
    ignoresCase: true,
    enforced: `Copilot CLI, the Copilot app, VS Code and JetBrains IDEs block ${unlisted}`,
    notEnforced: `The Copilot cloud agent does not read the list, and built-in servers are exempt. ${behavior}`,
  },
  "claude-code": {
    fileName: "managed-settings.json",
    createFile: (servers: Servers) => ({ allowManagedMcpServersOnly: true, allowedMcpServers: servers }),
    ignoresCase: false,
    enforced: `Claude Code blocks ${unlisted} Users can't extend the list.`,
    notEnforced: `A URL without a path allows all paths of its host. Servers in managed-mcp.json and managedMcpServers, built-in servers and connectors of the desktop app are exempt. ${behavior}`,
  },
  vscode: {
    fileName: "policy.json",
    createFile: (list: Servers) => ({ ChatAllowManagedMcpServersOnly: true, ChatAllowedMcpServers: list }),
    ignoresCase: true,
    enforced: `VS Code 1.132 and later blocks ${unlisted}`,
    notEnforced: `Sessions of the Agent Host, Claude and Codex do not read this policy; deploy the list for their clients too. ${behavior}`,
  },
} satisfies Record<AllowlistClient, object>;

/** URL without characters that a client may decode or use in a pattern or a variable (`*`, `${…}`, `%`). */
const LITERAL_URL = /^https?:\/\/[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d+)?\/[\w.~:/?&=@,+-]*$/i;

/**
 * Returns the address of an MCP server as clients compare it, or `undefined` if a client could match more than this
 * address. Plain http is allowed only for localhost.
 */
export function toLiteralUrl(endpoint: string): string | undefined {
  const url = parseUrl(endpoint, ["https:", "http:"]);
  if (!url || (url.protocol === "http:" && !isLocalhostName(url.hostname))) return undefined;
  return LITERAL_URL.test(url.href) ? url.href : undefined;
}

/** Facts that the chain can prove again. Without the first four, nothing proves who registered a URL. */
const factNames = ["record", "control", "content", "origin", "attested"] as const;

const factsSchema = z.pipe(
  z.pipe(
    z.union([
      z.array(z.string()),
      z.pipe(
        z.string(),
        z.transform((text: string) => text.split(",")),
      ),
    ]),
    z.array(z.enum(factNames)),
  ),
  z.transform((given) => factNames.filter((name) => name !== "attested" || given.includes(name))),
);

/**
 * Schema of a request for an allowlist: the client, the facts that must pass and the filters of a search that the chain
 * can check.
 */
export const allowlistQuerySchema = z.extend(
  z.pick(parametersSchema, {
    ...{ traits: true, match: true, interface: true, status: true, owner: true, minter: true },
    ...{ did: true, under: true, minVersion: true },
  }),
  {
    client: described(z.enum(allowlistClients), "Client whose administrator deploys the list."),
    facts: described(
      z._default(factsSchema, factNames.slice(0, 4)),
      "Facts that must pass, separated by commas. record, control, content and origin always must; attested can be added.",
    ),
    only: described(z.optional(z.enum(["file"])), "file: return only the file that the client reads."),
  },
);

export type AllowlistQueryInput = z.input<typeof allowlistQuerySchema>;

const entrySchema = z.strictObject({
  did: z.string().check(z.refine(isCanonicalDid)),
  version: z.string().check(z.refine(isVersion)),
  url: described(z.string(), "URL of the registered MCP server, as the client compares it."),
});

/** Service of an allowlist. */
export type AllowlistEntry = z.output<typeof entrySchema>;

/**
 * Schema of an allowlist: the file that a client reads, and the record that proves each of its entries. Contains only
 * what a check of the chain confirms.
 */
export const allowlistSchema = z.strictObject({
  client: z.enum(allowlistClients),
  fileName: z.string(),
  file: described(z.record(z.string(), z.unknown()), "Content of the file that the client reads."),
  enforced: described(z.string(), "What the client enforces."),
  notEnforced: described(z.string(), "What the client does not enforce."),
  chainId: z.int(),
  registry: described(addressSchema, "Address of the contract AppRegistry."),
  facts: described(z.array(z.enum(factNames)), "Facts that every entry passes."),
  query: described(z.record(z.string(), z.string()), "Filters that every entry matches."),
  entries: z.array(entrySchema).check(z.maxLength(10_000)),
  digest: described(hashSchema, "SHA-256 of the canonical JSON (RFC 8785) of all other members."),
});

/** Allowlist of a client, with the record that proves each of its entries. */
export type Allowlist = z.output<typeof allowlistSchema>;

/** Service that was checked but is not in an allowlist. */
export type OmittedService = { did: string; version: string | null; reason: string };

type Servers = readonly { serverUrl: string }[];

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
