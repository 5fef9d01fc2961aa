import { ExitCode } from "@app-registry/mcp";
import { printable } from "@app-registry/outbound/internal";
import { type CapabilityChange, formatVersion, isJsonObject, parseJsonStrict } from "@app-registry/sdk";
import { diffJson } from "@app-registry/sdk/internal";
import {
  documentProblems,
  parseCanonicalDid,
  parseInterfaces,
  problemLines,
  readMetadata,
} from "../inputs.ts";
import type { Program, Session } from "../program.ts";
import { type Proposal, proposePublication } from "../publishing.ts";
import { failureOutcome, type Line, type Outcome } from "../terminal.ts";

const longestRun = (text: string) => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** Formats an untrusted text as a code span (CommonMark 6.1), so that it is neither markup nor mentions anybody. */
export function codeSpan(text: string, max?: number): string {
  const shown = printable(text, max);
  const ticks = "`".repeat(longestRun(shown) + 1);
  return `${ticks} ${shown} ${ticks}`;
}

/** Formats printable lines of a diff as a fenced code block (CommonMark 4.5). */
export function diffBlock(text: string): string {
  const ticks = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${ticks}diff\n${text}\n${ticks}`;
}

const examples = `
Compares the endpoints, tools, resources, prompts, skills and schemas of a document with the latest registered version. The document asks for a major version if callers may break, for a minor one if something was added, else for a patch. Needs no key.

Exit code: 0 if the document can be published, 1 if it has problems.

Examples:
  $ app-registry diff metadata.json --did did:web:example.com
  $ app-registry diff metadata.json --did did:web:example.com --markdown > comment.md`;

export function addDiff({ root, action }: Program): void {
  root
    .command("diff")
    .description("compare a document with the registered version, and name the version it asks for")
    .argument("<file|url>", "the metadata document: a file, - for standard input, or a URL")
    .requiredOption("--did <did>", "DID of the service", parseCanonicalDid)
    .option(
      "--interfaces <list>",
      "human, api, contract, or 1 to 7 (default: those of the record)",
      parseInterfaces,
    )
    .option("--no-on-chain-json", "don't store the JSON on the chain (which has a smaller size limit)")
    .option("--markdown", "write Markdown, for example for a comment on a pull request")
    .addHelpText("after", examples)
    .action(
      action((session, place, options) =>
        compare(session, place, options).catch((error) => {
          // The Action marks its comment with the canonical DID, also that of an error.
          const { json, ...outcome } = failureOutcome(error);
          return { json: { did: options.did, ...json }, ...outcome };
        }),
      ),
    );
}

type DiffOptions = {
  did: string;
  interfaces?: number | undefined;
  onChainJson: boolean;
  markdown?: true | undefined;
};

async function compare(
  { connect, terminal, timeoutMs }: Session,
  place: string,
  { did, interfaces, onChainJson, markdown }: DiffOptions,
): Promise<Outcome> {
  const metadata = await readMetadata(place, timeoutMs, terminal);
  const document = parseJsonStrict(metadata);
  const proposal = await proposePublication(await connect(), { did, metadata, interfaces });
  const problems = documentProblems(document, proposal.interfaces, did, onChainJson);
  const changes = withDocument(proposal, document);
  const { current, version, part } = proposal;
  const comment = markdown && formatMarkdown(did, proposal, changes, problems);
  return {
    json: {
      ...{ did, current: current ? formatVersion(current) : null, version: formatVersion(version) },
      ...{ part: part ?? null, changes, problems, ...(comment && { markdown: comment }) },
    },
    ...(comment && { document: comment }),
    lines: comment
      ? []
      : [...changes.flatMap(changeLines), ...problemLines(problems), ask(proposal, changes)],
    exitCode: problems.length === 0 ? ExitCode.ok : ExitCode.failed,
  };
}

/** Change of a capability, or of the document's other fields. */
type Change = Omit<CapabilityChange, "kind"> & { kind: CapabilityChange["kind"] | "document" };

/** Returns the changes of the capabilities, and one of all other fields. */
function withDocument({ before, changes }: Proposal, after: unknown): Change[] {
  const named = changes.map((one) => (one.kind === "instructions" ? { ...one, name: "" } : one));
  if (!isJsonObject(before) || !isJsonObject(after)) return named;
  const diff = diffJson({ ...before, endpoints: [] }, { ...after, endpoints: [] });
  return diff.length === 0 ? named : [...named, { kind: "document", name: "", change: "changed", diff }];
}

const reasons = {
  major: "callers of the registered version may break",
  minor: "it adds something",
  patch: "it adds or removes no endpoint, tool, resource, prompt or skill",
};

/** Returns the version that a document asks for, as a sentence. */
function ask({ current, version, part }: Proposal, changes: readonly Change[]): string {
  const next = formatVersion(version);
  if (!current) return `Not registered yet: it would be published as ${next}.`;
  if (!part) return `The same as the registered version ${next}.`;
  const reason = changes.length === 0 ? "only the order or _meta of its entries changed" : reasons[part];
  return `Asks for version ${next} (${part}) after ${formatVersion(current)}, because ${reason}.`;
}

/** Maximum length of a line of the document's text, in characters. */
const MAX_LINE = 400;

/** Describes a change without its differences. `quote` makes text of the document safe. */
const headline = ({ change, kind, name, breaks }: Change, quote: (text: string) => string): string =>
  [
    ...[change, kind],
    ...(name === "" ? [] : [quote(name)]),
    ...(breaks === undefined ? [] : [`(may break callers: ${quote(breaks)})`]),
  ].join(" ");

const changeLines = (change: Change): Line[] => [
  headline(change, (text) => printable(text)),
  ...change.diff.map((line) => `  ${printable(line, MAX_LINE)}`),
];

/** Maximum length of each of three lists in a comment, in characters. GitHub allows 65,536 in all. */
const MAX_PART = 20_000;

/** Formats changes as Markdown. Text of the document is code, so that it is neither markup nor mentions anybody. */
function formatMarkdown(
  did: string,
  proposal: Proposal,
  changes: readonly Change[],
  problems: readonly { pointer: string; message: string }[],
): string {
  const listed = changes.map((change) => `- ${headline(change, (text) => codeSpan(text))}`);
  const open = problems.map(
    ({ pointer, message }) => `- ${codeSpan(pointer || "(document)")}: ${codeSpan(message, MAX_LINE)}`,
  );
  const lines = changes.flatMap(({ kind, name, diff }) => [
    `@@ ${kind} ${printable(name)} @@`,
    ...diff.map((line) => printable(line, MAX_LINE)),
  ]);
  return [
    `### App Registry: ${codeSpan(did, MAX_LINE)}`,
    ask(proposal, changes),
    ...(open.length === 0 ? [] : [`**To fix before publishing:**\n\n${shorten(open)}`]),
    ...(listed.length === 0 ? [] : [shorten(listed)]),
    ...(lines.length === 0
      ? []
      : [`<details><summary>Differences</summary>\n\n${diffBlock(shorten(lines))}\n\n</details>`]),
  ].join("\n\n");
}

/** Returns the first lines of a list, up to {@link MAX_PART} characters. */
function shorten(lines: readonly string[]): string {
  let length = 0;
  const shown = lines.filter((line) => {
    length += line.length + 1;
    return length <= MAX_PART;
  });
  const rest = lines.length - shown.length;
  return [...shown, ...(rest === 0 ? [] : [`… and ${rest} more`])].join("\n");
}
