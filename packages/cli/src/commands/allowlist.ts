import { ExitCode, UsageError } from "@app-registry/mcp";
import { getSite } from "@app-registry/outbound/site";
import {
  type AllowlistProblem,
  type AllowlistQueryInput,
  allowlistClients,
  canonicalizeValue,
  checkAllowlist,
  createAllowlist,
  parseJsonStrict,
} from "@app-registry/sdk";
import { readText } from "../inputs.ts";
import type { Program } from "../program.ts";
import { type Outcome, paint } from "../terminal.ts";
import { addFilters, toQuery } from "./search.ts";

/** Maximum size of a list or a client's settings, in bytes. */
const MAX_LIST_SIZE = 2 ** 24;

/** Maximum number of records to check for one list. */
const MAX_RECORDS = 5_000;

const examples = `
Lists services whose record, control, content and origin pass now, by their exact URLs, with the record that proves each beside the client's file. Standard error says why others are not listed. Reads only the chain, and the hosts of documents that are not on it. Checks at most ${MAX_RECORDS} records.

Exit code: 0 if the list is written or valid, 1 if an entry is refused, 3 if something did not respond.

Examples:
  $ app-registry allowlist --client claude-code --under did:web:example.com > allowlist.json
  $ app-registry allowlist --client claude-code --only file > managed-settings.json
  $ app-registry allowlist --check allowlist.json --deployed /etc/claude-code/managed-settings.json`;

/** Adds `allowlist`, which writes an administrator's list of allowed MCP servers, or checks one against the chain. */
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
    .addHelpText("after", examples)
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
