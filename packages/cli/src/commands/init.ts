import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { readContractFindings } from "@app-registry/issuer";
import {
  type Discovery,
  discoverService,
  type FindingKind,
  fillMetadata,
  findingKinds,
  proposalOf,
} from "@app-registry/outbound";
import { AppRegistryError, checkFieldNames, type JsonObject } from "@app-registry/sdk";
import { Option } from "@commander-js/extra-typings";
import { ExitCode, UsageError } from "../exitCodes.ts";
import { documentProblems, guardedFetch, problemLines } from "../inputs.ts";
import type { Program } from "../program.ts";
import type { Outcome } from "../terminal.ts";

const examples = `
It asks the address itself and the well-known places beside it. What the service does not say of itself is taken from the
options, else proposed from its address and what it offers, so that the file can be published as it is.

Examples:
  $ app-registry init https://example.com/mcp
  $ app-registry init agent.example.com --publisher "Example Ltd"
  $ app-registry init https://api.example.com/openapi.json --out weather.json`;

/** `init`: writes the metadata file of a service that describes itself. */
export function addInit({ root, action }: Program): void {
  root
    .command("init")
    .description("write a metadata file from what a service says of itself")
    .argument("<address>", "its URL, domain, DID or contract address")
    .addOption(
      new Option("--kind <kind>", "what it is, if the address is several things").choices(findingKinds),
    )
    .option("--name <text>", "name of the service")
    .option("--description <text>", "description of the service")
    .option("--publisher <text>", "who publishes it")
    .option("--traits <traits>", "further traits, separated by commas")
    .option("--out <file>", "file to write, - for standard output", "metadata.json")
    .option("--force", "overwrite an existing file")
    .addHelpText("after", examples)
    .action(
      action(async ({ terminal, timeoutMs, connect }, address, options) => {
        const { out, force = false, kind } = options;
        if (out !== "-" && !force && existsSync(out)) {
          throw new UsageError(
            `The file ${out} already exists.`,
            "Add --force to overwrite it, or name another.",
          );
        }
        const discovery = await discoverService(address, {
          guardedFetch: guardedFetch(timeoutMs),
          kind,
          readContract: async (contract) => {
            const { deployment, publicClient } = await connect();
            return readContractFindings(contract, {
              chainIds: [deployment.chainId],
              chainClient: () => publicClient,
            });
          },
        });
        const draft = draftMetadata(discovery, kind, options);
        const text = `${JSON.stringify(draft.metadata, null, 2)}\n`;
        if (out !== "-") await writeFile(out, text);
        terminal.warn(checkFieldNames(draft.metadata));
        return initOutcome(out, text, discovery, draft);
      }),
    );
}

/** Nothing at an address describes a service. */
class NothingFoundError extends AppRegistryError {
  override readonly name = "NothingFoundError";
  readonly code = "nothing-found";
}

type Texts = Partial<Record<"name" | "description" | "publisher" | "traits", string>>;
type Draft = {
  metadata: JsonObject;
  interfaces: number;
  filled: string[];
  proposed: string[];
  version: string;
};

/** The document of what was found; what the options say is kept. */
function draftMetadata(discovery: Discovery, kind: FindingKind | undefined, options: Texts): Draft {
  const { findings, looked } = discovery;
  const chosen = kind ? findings.filter((finding) => finding.kind === kind) : findings.slice(0, 1);
  if (chosen.length === 0) {
    const own = looked.find(({ place }) => place === discovery.input);
    const silent = looked.every(({ outcome }) => outcome === "failed");
    throw new NothingFoundError(
      `Nothing at ${discovery.input} describes ${kind ? `a service of kind ${kind}` : "a service"}.`,
      {
        action:
          own?.reason ?? "Check the address and that the service runs there, or write the metadata by hand.",
        docsPath: "/metadata",
        retryable: silent,
      },
    );
  }
  const { metadata, interfaces, version, proposed } = proposalOf(
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
    interfaces,
    version,
    filled: filled.filled.map(({ label }) => label),
    proposed: proposed.filter((pointer) => !written.some(([key]) => pointer === `/${key}`)),
  };
}

function initOutcome(out: string, text: string, discovery: Discovery, draft: Draft): Outcome {
  const { metadata, interfaces, filled, proposed, version } = draft;
  const { findings, looked, dids } = discovery;
  const [did] = dids;
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
  if (out === "-") return { json, lines: [text.trimEnd()], exitCode };
  const lines = [
    ...found.map(({ kind, url, offers }) => `Found ${[`${kind} at ${url}`, ...offers].join(", ")}.`),
    `Wrote ${out}: ${filled.join(", ")}.`,
    ...(proposed.length === 0 ? [] : [`Nothing there says ${proposed.join(", ")}: check the proposals.`]),
    ...(problems.length === 0
      ? [`It may be published as it is${did ? `, for example as ${did.did}, version ${version}` : ""}.`]
      : ["Still to be corrected:", ...problemLines(problems)]),
  ];
  return { json, lines, exitCode };
}
