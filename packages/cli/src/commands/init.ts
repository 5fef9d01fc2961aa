import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { type ReadableChains, readAgentUri, readContractFindings } from "@app-registry/issuer";
import { ExitCode, guardedFetch, UsageError } from "@app-registry/mcp";
import {
  createProposal,
  type Discovery,
  discoverService,
  type Finding,
  type FindingKind,
  fillMetadata,
  findingKinds,
} from "@app-registry/outbound";
import { getOwnReason } from "@app-registry/outbound/fill";
import { AppRegistryError, checkFieldNames, type JsonObject } from "@app-registry/sdk";
import { inferInterfaces } from "@app-registry/sdk/internal";
import { Option } from "@commander-js/extra-typings";
import { documentProblems, problemLines } from "../inputs.ts";
import type { Program } from "../program.ts";
import type { Outcome } from "../terminal.ts";

const examples = `
Reads the address and well-known locations on the same site. Anything the service doesn't describe comes from your options, or is suggested from its address and capabilities, so the file is usually ready to publish.

Examples:
  $ app-registry init https://example.com/mcp
  $ app-registry init agent.example.com --publisher "Example Ltd"
  $ app-registry init https://api.example.com/openapi.json --out weather.json`;

/** Adds `init`, which writes a metadata file from a service's own description. */
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
          guardedFetch: guardedFetch(timeoutMs),
          kind,
          variables,
          readContract: async (contract) => readContractFindings(contract, await findChains()),
          readAgentUri: async (registry, id) => readAgentUri(registry, id, await findChains()),
        });
        const draft = draftMetadata(discovery, kind, options);
        const text = `${JSON.stringify(draft.metadata, null, 2)}\n`;
        if (out !== "-") await writeFile(out, text);
        terminal.warn(checkFieldNames(draft.metadata));
        return initOutcome(out, text, discovery, draft);
      }),
    );
}

function readVariable(text: string): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new UsageError(`"${text}" is not a variable.`, "Write it as name=value, for example tenant=acme.");
  }
  return { [name]: value };
}

/** Throws an error that lists the variables without a value in a server's address. */
function requireVariables({ url, variables = [], notes = [] }: Finding): void {
  const missing = variables.filter(({ value }) => value === undefined);
  if (missing.length === 0) return;
  const named = missing.map(({ name, description }) => (description ? `${name} (${description})` : name));
  throw new UsageError(
    [`The address ${url} has variables without a value: ${named.join(", ")}.`, ...notes].join(" "),
    `Add ${missing.map(({ name }) => `--variable ${name}=<value>`).join(" ")}.`,
  );
}

/** Error for an address without a description of a service. */
class NothingFoundError extends AppRegistryError {
  override readonly name = "NothingFoundError";
  readonly code = "nothing-found";
}

type Texts = Partial<Record<"name" | "description" | "publisher" | "traits", string>>;
type Draft = {
  metadata: JsonObject;
  filled: string[];
  proposed: string[];
  version: string;
};

/** Creates the metadata document from the findings. Options take precedence. */
function draftMetadata(discovery: Discovery, kind: FindingKind | undefined, options: Texts): Draft {
  const { findings, looked } = discovery;
  const chosen = kind ? findings.filter((finding) => finding.kind === kind) : findings.slice(0, 1);
  if (chosen.length === 0) {
    const silent = looked.every(({ outcome }) => outcome === "failed");
    throw new NothingFoundError(
      `No description of ${kind ? `a service of kind ${kind}` : "a service"} was found at ${discovery.input}.`,
      {
        action:
          getOwnReason(discovery) ??
          "Check the address and that the service is running, or write the metadata yourself.",
        docsPath: "/metadata",
        retryable: silent,
      },
    );
  }
  for (const finding of chosen) requireVariables(finding);
  const { metadata, version, proposed } = createProposal(
    discovery,
    chosen.map((finding) => finding.kind),
  );
  const { name, description, publisher } = options;
  const written = Object.entries({ name, description, publisher }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const further = (options.traits ?? "").split(",").map((trait) => trait.trim());
  const present: JsonObject = Object.fromEntries(written);
  const filled = fillMetadata(present, metadata);
  const traits = Array.isArray(filled.metadata.traits) ? filled.metadata.traits : [];
  const all = [...new Set([...traits, ...further.filter(Boolean)])];
  return {
    metadata: { ...filled.metadata, ...(all.length > 0 && { traits: all }) },
    version,
    filled: filled.filled.map(({ label }) => label),
    proposed: proposed.filter((pointer) => !written.some(([key]) => pointer === `/${key}`)),
  };
}

function initOutcome(out: string, text: string, discovery: Discovery, draft: Draft): Outcome {
  const { metadata, filled, proposed, version } = draft;
  const { findings, looked, dids } = discovery;
  const [did] = dids;
  // Check the interfaces that publish derives from the document, so that both report the same problems.
  const interfaces = inferInterfaces(metadata, did?.did ?? "");
  const problems = documentProblems(metadata, interfaces, did?.did ?? "", true);
  const exitCode = problems.length === 0 ? ExitCode.ok : ExitCode.failed;
  const found = findings.map(({ kind, url, offers }) => ({ kind, url, offers }));
  const file = out === "-" ? null : out;
  const json = {
    file,
    did: did?.did ?? null,
    version,
    found,
    looked,
    filled,
    proposed,
    problems,
    metadata: JSON.parse(text),
  };
  if (out === "-") return { json, document: text.trimEnd(), lines: [], exitCode };
  const lines = [
    ...found.map(({ kind, url, offers }) => `Found ${[`${kind} at ${url}`, ...offers].join(", ")}.`),
    `Wrote ${out}: ${filled.join(", ")}.`,
    ...(proposed.length === 0 ? [] : [`Not found: ${proposed.join(", ")}. Check the suggested values.`]),
    ...(problems.length === 0
      ? [`Ready to publish${did ? `, for example as ${did.did}, version ${version}` : ""}.`]
      : ["To fix before publishing:", ...problemLines(problems)]),
  ];
  return { json, lines, exitCode };
}
