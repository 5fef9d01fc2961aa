import { interfaceNames } from "../../interfaces.ts";
import { searchApps } from "../../search/searchApps.ts";
import { searchChain } from "../../search/searchChain.ts";
import type { SearchPage } from "../../search/searchResult.ts";
import { connect } from "../connection.ts";
import { parseInterfaces } from "../inputs.ts";
import type { Root, Run } from "../program.ts";
import { columns, type Outcome, paint } from "../terminal.ts";

const examples = `
Asks the registry's web service when it is known, else the chain alone, which has no text index.

Examples:
  $ app-registry search weather
  $ app-registry search --traits api:mcp,weather --interfaces api --json`;

/** `search`: services by text, traits, interfaces, owner. */
export function addSearch(root: Root, run: Run): void {
  root
    .command("search")
    .description("find services")
    .argument("[text...]", "words in name, description, publisher, traits and DID")
    .option("--traits <traits>", "traits, separated by commas")
    .option("--match <all|any>", "all of the traits, or any of them")
    .option("--interfaces <list>", "human, api, contract, or a bitmap 1 to 7: all of them", parseInterfaces)
    .option("--owner <address>", "holder of the token")
    .option("--status <status>", "active (default), deprecated, replaced or any")
    .option("--min-version <version>", "lowest version")
    .option("--sort <order>", "relevance, newest, updated or name")
    .option("--limit <count>", "results, 1 to 100 (default 20)")
    .option("--cursor <cursor>", "the nextCursor of the page before")
    .addHelpText("after", examples)
    .action((words, options, command) =>
      run(async () => {
        const { interfaces, ...rest } = options;
        const q = words.join(" ") || undefined;
        // The schema of a search checks these texts, and names what is wrong.
        const given = { ...rest, q, interface: interfaces } as object;
        const query = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
        const { client, appUrl, timeoutMs } = await connect(command.optsWithGlobals());
        return searchOutcome(
          appUrl === undefined
            ? await searchChain({ client, timeoutMs, ...query })
            : await searchApps({ baseUrl: appUrl, timeoutMs, ...query }),
        );
      }),
    );
}

function searchOutcome(page: SearchPage): Outcome {
  const { results, nextCursor, total, source } = page;
  const rows = results.map(({ name = "", did, version, interfaces }) => [
    did,
    version,
    interfaceNames(interfaces).join(","),
    name,
  ]);
  const count = total?.count ?? results.length;
  const least = total?.exact === false ? "at least " : "";
  const summary = [
    `${least}${count.toLocaleString("en")} ${count === 1 ? "service" : "services"}`,
    ...(source === "chain" ? ["answered from the chain"] : []),
    ...(nextCursor === null ? [] : [`more with --cursor ${nextCursor}`]),
  ].join("; ");
  return { json: page, lines: [...columns(rows), paint("dim", summary)] };
}
