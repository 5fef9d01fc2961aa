import type { SearchFacets, SearchPage, SearchResult, SearchTotal } from "@app-registry/sdk";
import { interfaceNames, type SearchListing, searchAll } from "@app-registry/sdk";
import { parseInterfaces } from "../inputs.ts";
import type { Program } from "../program.ts";
import { columns, type Outcome, paint, table } from "../terminal.ts";

const examples = `
Asks the registry's web service when it is known, else the chain alone, which has no text index.

Examples:
  $ app-registry search weather
  $ app-registry search --traits api:mcp,weather --interfaces api --json
  $ app-registry search weather --control pass --live answers --drift same
  $ app-registry search --did-prefix did:web:example.com --all
  $ app-registry search --updated-since 2026-01-31T00:00:00Z --all --json`;

/** `search`: services by text, traits, interfaces, owner. */
export function addSearch({ root, action }: Program): void {
  root
    .command("search")
    .description("find services")
    .argument("[text...]", "words in name, description, publisher, traits and DID")
    .option("--traits <traits>", "traits, separated by commas")
    .option("--match <all|any>", "all of the traits, or any of them")
    .option("--interfaces <list>", "human, api, contract, or a bitmap 1 to 7: all of them", parseInterfaces)
    .option("--owner <address>", "holder of the token")
    .option("--status <status>", "active (default), deprecated, replaced or any")
    .option("--did <did>", "all records of a DID")
    .option("--did-prefix <prefix>", "records whose DID begins with this, such as did:web:example.com")
    .option("--min-version <version>", "lowest version")
    .option("--control <outcome>", "pass, fail or unknown: whether its account controls the DID")
    .option("--content <outcome>", "pass, fail or unknown: whether its dataUrl serves what is registered")
    .option("--attested <outcome>", "pass or fail: whether an issuer attests what is registered")
    .option(
      "--live <outcome>",
      "how it answered last: answers, gated, failing, other-protocol, unreachable or unknown",
    )
    .option("--drift <outcome>", "same, changed or not-comparable: whether it offers what is registered")
    .option(
      "--updated-since <time>",
      "changed since, ISO 8601 or Unix seconds; any status, oldest change first",
    )
    .option("--sort <order>", "relevance, newest, updated or name")
    .option("--facets", "count what is found, by trait, interface and API type")
    .option("--all", "every result, not one page")
    .option("--limit <count>", "results in a page, 1 to 100 (default 20)")
    .option("--cursor <cursor>", "the nextCursor of the page before")
    .addHelpText("after", examples)
    .action(
      action(async ({ connect }, words, { interfaces, all, ...rest }) => {
        const q = words.join(" ") || undefined;
        // The schema of a search checks these texts, and names what is wrong.
        const given = { ...rest, q, interface: interfaces } as object;
        const query = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
        const { client, appUrl, timeoutMs } = await connect();
        const where = appUrl === undefined ? { client } : { baseUrl: appUrl };
        return searchOutcome(await readPages(searchAll({ ...where, timeoutMs, ...query }), all === true));
      }),
    );
}

/** The first page of a search, or all of them as one. */
async function readPages(listing: SearchListing, all: boolean): Promise<SearchPage> {
  let read: SearchPage | undefined;
  const results: SearchResult[] = [];
  for await (const page of listing.pages()) {
    results.push(...page.results);
    const { source, block, nextCursor } = page;
    // The answer is true at the lowest block of its pages.
    read = { ...(read ?? page), results, source, nextCursor, block: Math.min(block, read?.block ?? block) };
    if (!all) break;
  }
  if (read === undefined) throw new Error("A search has no page.");
  return read;
}

function searchOutcome(page: SearchPage): Outcome {
  const { results, nextCursor, total, facets, source } = page;
  const rows = results.map(({ name = "", did, version, interfaces }) => [
    did,
    version,
    interfaceNames(interfaces).join(","),
    name,
  ]);
  const summary = [
    countText(total ?? { count: results.length, exact: true }),
    ...(source === "chain" ? ["answered from the chain"] : []),
    ...(nextCursor === null ? [] : [`more with --cursor ${nextCursor}`]),
  ].join("; ");
  return { json: page, lines: [...columns(rows), ...facetLines(facets), paint("dim", summary)] };
}

const countText = ({ count, exact }: SearchTotal): string =>
  `${exact ? "" : "at least "}${count.toLocaleString("en")} ${count === 1 ? "service" : "services"}`;

function facetLines(facets: SearchFacets | undefined): string[] {
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
