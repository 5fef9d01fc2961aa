import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { type ReadableChains, readContractFindings } from "@app-registry/issuer";
import { ExitCode, UsageError } from "@app-registry/mcp";
import {
  createGuardedFetch,
  createProposal,
  type Discovery,
  discoverService,
  type Finding,
  type FindingKind,
  findingKinds,
  type Proposal,
} from "@app-registry/outbound";
import { isLoopbackHost, parseDiscoveryTarget } from "@app-registry/outbound/internal";
import { AppRegistryError, checkFieldNames } from "@app-registry/sdk";
import { inferInterfaces } from "@app-registry/sdk/internal";
import { Option } from "@commander-js/extra-typings";
import { documentProblems, problemLines } from "../inputs.ts";
import type { Program } from "../program.ts";
import { failureOutcome, type Outcome } from "../terminal.ts";

const examples = `
Reads one service from the address. A domain stands for the well-known locations of its host. If several services are found, or none at the address itself, the command lists them for --choose. Anything the service doesn't describe comes from your options, or is suggested from its address and capabilities, so the file is usually ready to publish.

Examples:
  $ app-registry init https://example.com/mcp
  $ app-registry init agent.example.com --publisher "Example Ltd"
  $ app-registry init example.com --choose 2
  $ app-registry init https://api.example.com/openapi.json --out weather.json`;

export function addInit({ root, action }: Program): void {
  root
    .command("init")
    .description("create a metadata file from a service's own description")
    .argument("<address>", "URL, domain, DID or contract address of the service")
    .addOption(new Option("--kind <kind>", "type of service, if several are found").choices(findingKinds))
    .option(
      "--variable <name=value>",
      "value of a variable in the server's address (repeatable)",
      (text: string, values: Record<string, string>) => ({ ...values, ...readVariable(text) }),
      {},
    )
    .option("--choose <service>", "number, identifier or URL of one of the services found")
    .option("--name <text>", "name of the service")
    .option("--description <text>", "description of the service")
    .option("--publisher <text>", "publisher of the service")
    .option("--traits <traits>", "additional traits, separated by commas")
    .option("--out <file>", "output file (- for standard output)", "metadata.json")
    .option("--force", "overwrite an existing file")
    .addHelpText("after", examples)
    .action(
      action(async ({ terminal, timeoutMs, connect }, address, options) => {
        const { out, force = false, kind, variable: variables } = options;
        if (out !== "-" && !force && existsSync(out)) {
          throw new UsageError(
            `The file ${out} already exists.`,
            "Use --force to overwrite it, or choose another file.",
          );
        }
        let connection: ReturnType<typeof connect> | undefined;
        const findChains = async (): Promise<ReadableChains> => {
          connection ??= connect();
          const { deployment, publicClient } = await connection;
          return { chainIds: [deployment.chainId], chainClient: () => publicClient };
        };
        const discovery = await discoverService(address, {
          guardedFetch: createGuardedFetch({ allowLoopback: isOnThisMachine(address), timeout: timeoutMs }),
          kind,
          variables,
          readContract: async (contract) => readContractFindings(contract, await findChains()),
        });
        const candidates = discovery.findings.filter((found) => kind === undefined || found.kind === kind);
        if (candidates.length === 0) return missOutcome(discovery, options);
        const finding = chooseFinding(discovery, candidates, options);
        if (!finding) return choiceOutcome(discovery, candidates, options);
        requireVariables(finding, variables);
        const draft = draftMetadata(discovery, finding, options);
        const text = `${JSON.stringify(draft.metadata, null, 2)}\n`;
        if (out !== "-") await writeFile(out, text);
        terminal.warn(checkFieldNames(draft.metadata));
        const outcome = initOutcome(out, text, discovery, draft);
        if (out !== "-") return outcome;
        for (const line of outcome.lines) terminal.note(line);
        return { ...outcome, document: text.trimEnd(), lines: [] };
      }),
    );
}

/** Returns true if the user typed an address of this machine. What other addresses name can't be on it. */
function isOnThisMachine(address: string): boolean {
  const target = parseDiscoveryTarget(address);
  return "url" in target && isLoopbackHost(target.url.hostname);
}

/** Error for an address without a description of a service. */
class NothingFoundError extends AppRegistryError {
  override readonly name = "NothingFoundError";
  readonly code = "nothing-found";
}

function readVariable(text: string): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new UsageError(`"${text}" is not a variable.`, "Write it as name=value, for example tenant=acme.");
  }
  return { [name]: value };
}

/** Throws an error that lists the variables without a value in a server's address, or names one that it lacks. */
function requireVariables({ url, variables = [], notes = [] }: Finding, given: object): void {
  const known = variables.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `The address ${url} has no variable named "${unknown}".`,
      known.length === 0 ? "Leave out --variable." : `Use one of: ${known.join(", ")}.`,
    );
  }
  const missing = variables.filter(({ value }) => value === undefined);
  if (missing.length === 0) return;
  const named = missing.map(({ name, description }) => (description ? `${name} (${description})` : name));
  throw new UsageError(
    [`The address ${url} has variables without a value: ${named.join(", ")}.`, ...notes].join(" "),
    `Add ${missing.map(({ name }) => `--variable ${name}=<value>`).join(" ")}.`,
  );
}

type Texts = Partial<Record<"name" | "description" | "publisher" | "traits", string>>;
type Choice = { kind?: FindingKind | undefined; choose?: string | undefined };
type Draft = Pick<Proposal, "did" | "metadata" | "proposed" | "suggestions" | "version"> & {
  finding: Finding;
  filled: string[];
};

/** Explains why no service was found. */
function missOutcome(discovery: Discovery, { kind }: Choice): Outcome {
  const { input, looked, notes = [] } = discovery;
  const advice = "Check the address and that the service is running, or write the metadata yourself.";
  const { json, ...outcome } = failureOutcome(
    new NothingFoundError(
      `No description of ${kind ? `a service of kind ${kind}` : "a service"} was found at ${input}.`,
      {
        action: notes.join(" ") || looked[0]?.reason || advice,
        docsPath: "/metadata",
        retryable: looked.length > 0 && looked.every(isTemporary),
      },
    ),
  );
  return { ...outcome, json: { ...json, notes, looked } };
}

/** Returns true if a place may answer later. One that refuses a request does so again. */
const isTemporary = ({ outcome, status = 500 }: Discovery["looked"][number]): boolean =>
  outcome === "failed" && status >= 500;

/** Returns the finding to use: the chosen one, or the first one. Returns `undefined` if that is not clear. */
function chooseFinding(
  { needsChoice }: Discovery,
  candidates: readonly Finding[],
  { choose }: Choice,
): Finding | undefined {
  if (choose === undefined) return needsChoice ? undefined : candidates[0];
  if (/^\d+$/.test(choose)) return candidates[Number(choose) - 1];
  const href = URL.canParse(choose) ? new URL(choose).href : choose;
  const named = candidates.filter(({ identifier, url }) => identifier === choose || url === href);
  return named.length === 1 ? named[0] : undefined;
}

/** Lists the services, of which the user has to choose one. */
function choiceOutcome(
  { looked, notes = [] }: Discovery,
  candidates: Finding[],
  { choose }: Choice,
): Outcome {
  const [first, second] = candidates;
  const isOnly = choose === undefined && second === undefined;
  const { json, lines } = failureOutcome(
    new UsageError(
      isOnly
        ? "This address describes no service."
        : choose === undefined
          ? "Several services were found. Choose one."
          : `--choose ${choose} doesn't match exactly one of the services found.`,
      isOnly
        ? `Use --choose 1 for the one found at ${first?.url}.`
        : "Add --choose with the number, identifier or URL of the service, for example --choose 1.",
    ),
  );
  return {
    json: { ...json, notes, found: candidates.map(summarize), looked },
    lines: [...notes, ...candidates.flatMap(describe), ...lines],
    exitCode: ExitCode.usage,
  };
}

const summarize = ({ kind, url, identifier, metadata: { name }, offers, notes }: Finding, index: number) => ({
  number: index + 1,
  ...{ kind, url, identifier, name, offers, notes },
});

function describe(finding: Finding, index: number): string[] {
  const { kind, url, identifier, metadata, offers, notes = [] } = finding;
  const name = metadata.name === undefined ? "" : ` "${metadata.name}"`;
  const facts = [`${kind}${name} at ${url}`, ...(identifier === undefined ? [] : [identifier]), ...offers];
  return [`${index + 1}. ${facts.join(", ")}`, ...notes.map((note) => `   ${note}`)];
}

/** Creates the metadata document from a finding. Options take precedence. */
function draftMetadata(discovery: Discovery, finding: Finding, options: Texts): Draft {
  const proposal = createProposal(discovery, finding);
  const { name, description, publisher } = options;
  const written = Object.entries({ name, description, publisher }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const isOpen = (pointer: string) => !written.some(([key]) => pointer === `/${key}`);
  const further = (options.traits ?? "").split(",").map((trait) => trait.trim());
  const metadata = { ...proposal.metadata, ...Object.fromEntries(written) };
  const traits = Array.isArray(metadata.traits) ? metadata.traits : [];
  const all = [...new Set([...traits, ...further.filter(Boolean)])];
  return {
    ...proposal,
    finding,
    metadata: { ...metadata, ...(all.length > 0 && { traits: all }) },
    filled: Object.keys(metadata).filter((field) => isOpen(`/${field}`)),
    proposed: proposal.proposed.filter(isOpen),
    suggestions: proposal.suggestions.filter(({ pointer }) => isOpen(pointer)),
  };
}

function initOutcome(out: string, text: string, discovery: Discovery, draft: Draft): Outcome {
  const { finding, did, metadata, filled, proposed, suggestions, version } = draft;
  const { findings, looked, notes = [] } = discovery;
  // Check the interfaces that publish derives from the document, so that both report the same problems.
  const interfaces = inferInterfaces(metadata, did ?? "");
  const problems = documentProblems(metadata, interfaces, did ?? "", true);
  const used = findings.indexOf(finding);
  const found = { notes, found: findings.map(summarize), used: used + 1, looked };
  const json = {
    ...{ file: out === "-" ? null : out, did: did ?? null, version, ...found },
    ...{ filled, proposed, suggestions, problems, metadata: JSON.parse(text) },
  };
  const others = findings.flatMap((other, index) => (other === finding ? [] : describe(other, index)));
  const missed = proposed.map((pointer) => pointer.slice(1)).join(", ");
  const lines = [
    ...notes,
    ...["Used:", ...describe(finding, used)],
    ...(others.length === 0 ? [] : ["Also found, and not used:", ...others]),
    ...suggestions.map(
      ({ pointer, value, url }) =>
        `Suggested ${pointer.slice(1)}: ${Array.isArray(value) ? `${value.length} entries` : String(value)}, from ${url}.`,
    ),
    `${out === "-" ? "Filled in" : `Wrote ${out}`}: ${filled.join(", ")}.`,
    ...(proposed.length === 0 ? [] : [`Not stated by the service: ${missed}. Check what is proposed.`]),
    ...(problems.length === 0
      ? [`Ready to publish${did ? `, for example as ${did}, version ${version}` : ""}.`]
      : ["To fix before publishing:", ...problemLines(problems)]),
  ];
  return { json, lines, exitCode: problems.length === 0 ? ExitCode.ok : ExitCode.failed };
}
