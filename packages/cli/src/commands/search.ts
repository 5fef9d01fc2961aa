import { ExitCode, type RootOptions, UsageError } from "@app-registry/mcp";
import { getSite } from "@app-registry/outbound/site";
import {
  type AllowlistProblem,
  type AllowlistQueryInput,
  allowlistClients,
  canonicalizeValue,
  checkAllowlist,
  createAllowlist,
  interfaceNames,
  parseJsonStrict,
  type SearchFacets,
  type SearchListing,
  type SearchPage,
  type SearchResult,
  type SearchTotal,
  searchAll,
} from "@app-registry/sdk";
import { formatFactMarks, getResultOutcomes } from "@app-registry/sdk/internal";
import type { Command, OptionValues } from "@commander-js/extra-typings";
import { parseInterfaces, readText } from "../inputs.ts";
import type { Program } from "../program.ts";
import { columns, type Line, type Outcome, paint, shortened, table } from "../terminal.ts";

const examples = `
Uses the registry's web service if one is configured. Otherwise reads the chain, which doesn't support text search.

Examples:
  $ app-registry search weather
  $ app-registry search --traits api:mcp,weather --interfaces api --json
  $ app-registry search weather --control pass --live answers --drift same
  $ app-registry search --under did:web:example.com --all
  $ app-registry search --updated-since 2026-01-31T00:00:00Z --all --json`;

export function addSearch({ root, action }: Program): void {
  const command = root
    .command("search")
    .description("find services")
    .argument("[text...]", "search words (name, description, publisher, traits, DID)");
  addFilters(command)
    .option("--status <status>", "active (default), deprecated, replaced or any")
    .option("--control <outcome>", "Control fact: pass, fail or unknown")
    .option("--content <outcome>", "Content fact: pass, fail or unknown")
    .option("--attested <outcome>", "Attested fact: pass or fail")
    .option(
      "--live <outcome>",
      "last live check: answers, gated, failing, other-protocol, unreachable or unknown",
    )
    .option("--drift <outcome>", "comparison with the registered version: same, changed or not-comparable")
    .option(
      "--updated-since <time>",
      "changed since this time (ISO 8601 or Unix seconds); any status, oldest first",
    )
    .option("--sort <order>", "relevance, newest, updated or name")
    .option("--facets", "show counts by trait, interface and API type")
    .option("--all", "return all results instead of one page")
    .option("--limit <count>", "results in a page, 1 to 100 (default 20)")
    .option("--cursor <cursor>", "nextCursor from the previous page")
    .addHelpText("after", examples)
    .action(
      action(async ({ connect }, words, { all, ...rest }) => {
        const query = toQuery({ ...rest, q: words.join(" ") || undefined });
        const { client, appUrl, timeoutMs } = await connect();
        const where = appUrl === undefined ? { client } : { baseUrl: appUrl };
        return searchOutcome(await readPages(searchAll({ ...where, timeoutMs, ...query }), all === true));
      }),
    );
}

/** Adds the filters that the chain can check without a search index. */
function addFilters<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options, RootOptions>,
) {
  return command
    .option("--traits <traits>", "traits, separated by commas")
    .option("--match <all|any>", "match all traits or any of them")
    .option(
      "--interfaces <list>",
      "human, api, contract, or a bitmap 1 to 7 (results have all of them)",
      parseInterfaces,
    )
    .option("--owner <address>", "holder of the token")
    .option("--did <did>", "list all records of a DID")
    .option("--under <did>", "records of a DID and of paths below it, such as did:web:example.com")
    .option("--min-version <version>", "minimum version");
}

/** Returns the query of some options. Its schema validates the texts and describes any problem. */
function toQuery({ interfaces, ...rest }: Readonly<Record<string, unknown>>): object {
  const given = Object.entries({ ...rest, interface: interfaces });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Reads the first page of a search, or all pages as one. */
async function readPages(listing: SearchListing, all: boolean): Promise<SearchPage> {
  let read: SearchPage | undefined;
  const results: SearchResult[] = [];
  for await (const page of listing.pages()) {
    results.push(...page.results);
    const { source, block, nextCursor } = page;
    // Report the lowest block, because all pages are valid at it.
    read = { ...(read ?? page), results, source, nextCursor, block: Math.min(block, read?.block ?? block) };
    if (!all) break;
  }
  if (read === undefined) throw new Error("A search has no page.");
  return read;
}

function searchOutcome(page: SearchPage): Outcome {
  const { results, nextCursor, total, facets, source, commonWords } = page;
  const rows = results.map((result) => [
    result.did,
    result.version,
    interfaceNames(result.interfaces).join(","),
    formatFactMarks(getResultOutcomes(result)),
    shortened(result.name ?? ""),
  ]);
  const summary = [
    countText(total ?? { count: results.length, exact: true }),
    ...(source === "chain" ? ["read from the chain"] : []),
    ...(commonWords ? ["these words are too common: add one that says what the service does"] : []),
    ...(nextCursor === null ? [] : [`next page: --cursor ${nextCursor}`]),
  ].join("; ");
  return { json: page, lines: [...columns(rows), ...facetLines(facets), paint("dim", summary)] };
}

const countText = ({ count, exact }: SearchTotal): string =>
  `${exact ? "" : "at least "}${count.toLocaleString("en")} ${count === 1 ? "service" : "services"}`;

function facetLines(facets: SearchFacets | undefined): Line[] {
  if (facets === undefined) return [];
  const ofTraits = (counts: SearchFacets["traits"]) =>
    counts.map(({ trait, hash, count }) => `${trait ?? hash} ${count}`).join(", ");
  const ofInterfaces = facets.interfaces.map((item) => `${interfaceNames(item.interface)} ${item.count}`);
  return [
    "",
    ...table([
      ["interfaces", ofInterfaces.join(", ")],
      ["API types", ofTraits(facets.apiTypes)],
      ["traits", ofTraits(facets.traits)],
    ]),
  ];
}

/** Maximum size of a list or a client's settings, in bytes. */
const MAX_LIST_SIZE = 2 ** 24;

/** Maximum number of records to check for one list. */
const MAX_RECORDS = 5_000;

const allowlistExamples = `
Lists services whose record, control, content and origin pass now, by their exact URLs, with the record that proves each beside the client's file. Standard error says why others are not listed. Reads only the chain, and the hosts of documents that are not on it. Checks at most ${MAX_RECORDS} records.

Exit code: 0 if the list is written or valid, 1 if an entry is refused, 3 if something did not respond.

Examples:
  $ app-registry allowlist --client claude-code --under did:web:example.com > allowlist.json
  $ app-registry allowlist --client claude-code --only file > managed-settings.json
  $ app-registry allowlist --check allowlist.json --deployed /etc/claude-code/managed-settings.json`;

export function addAllowlist({ root, action }: Program): void {
  const command = root
    .command("allowlist")
    .description("write or check a client's list of allowed MCP servers")
    .option("--client <name>", `client that reads the list: ${allowlistClients.join(", ")}`)
    .option("--facts <facts>", "facts that must also pass: attested")
    .option("--only <file>", "file: print only the file that the client reads")
    .option("--check <file>", "check this list against the chain, and that any filters given are its own")
    .option("--deployed <file>", "with --check: also compare the client's file as deployed");
  addFilters(command)
    .addHelpText("after", allowlistExamples)
    .action(
      action(async ({ connect, terminal }, { check, deployed, ...options }) => {
        const query = toQuery(options) as AllowlistQueryInput;
        const hasQuery = Object.keys(query).length > 0;
        if (check === undefined ? deployed !== undefined : hasQuery && !query.client)
          throw new UsageError("--deployed needs --check, and filters with --check need --client.");
        const { client, timeoutMs, fetchDocument } = await connect();
        const reading = { client, timeoutMs, siteOf: getSite, fetchDocument };
        if (check !== undefined) {
          const allowlist = parseJsonStrict(await readText(check, timeoutMs, MAX_LIST_SIZE));
          const settings = deployed && parseJsonStrict(await readText(deployed, timeoutMs, MAX_LIST_SIZE));
          const expected = { deployed: settings, query: hasQuery ? query : undefined };
          return checkOutcome(await checkAllowlist({ ...reading, ...expected, allowlist }));
        }
        const created = await createAllowlist({ ...reading, query, maxRecords: MAX_RECORDS });
        const { allowlist: list, omitted } = created;
        if (!created.complete) throw new UsageError(`More than ${MAX_RECORDS} records match. Add filters.`);
        for (const { did, version, reason } of omitted)
          terminal.note(
            paint("dim", `${did}${version === null ? "" : ` ${version}`} is not listed: ${reason}`),
          );
        terminal.note(paint("dim", `${list.entries.length} listed, ${omitted.length} omitted`));
        const written = query.only ? list.file : list;
        return { json: { ...written, omitted }, document: canonicalizeValue(written), lines: [] };
      }),
    );
}

function checkOutcome(problems: readonly AllowlistProblem[]): Outcome {
  const lines = problems.map(({ message, retryable }) => [
    retryable ? paint("yellow", "unknown") : paint("red", "REFUSED"),
    `  ${message}`,
  ]);
  if (lines.length === 0) return { json: { problems }, lines: ["Every entry is valid."] };
  const isUnknown = problems.every(({ retryable }) => retryable);
  return { json: { problems }, lines, exitCode: isUnknown ? ExitCode.unknown : ExitCode.failed };
}
