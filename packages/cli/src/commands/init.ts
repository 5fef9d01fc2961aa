import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { GuardedFetch } from "@app-registry/outbound";
import { importAgentCard, importMcp, importOpenApi } from "@app-registry/outbound";
import { type Filled, fillFromAgentCard, fillFromMcp, fillFromOpenApi } from "@app-registry/outbound/fill";
import { checkFieldNames, Interfaces } from "@app-registry/sdk";
import { ExitCode, UsageError } from "../exitCodes.ts";
import { documentProblems, guardedFetch, problemLines } from "../inputs.ts";
import type { Program } from "../program.ts";
import type { Outcome } from "../terminal.ts";

const examples = `
What the service does not say of itself is taken from the options, else from its address, so that the file can be
published as it is.

Examples:
  $ app-registry init --mcp https://example.com/mcp
  $ app-registry init --agent-card https://agent.example.com --publisher "Example Ltd"
  $ app-registry init --openapi https://api.example.com/openapi.json --out weather.json`;

/** `init`: writes the metadata file of a service that describes itself. */
export function addInit({ root, action }: Program): void {
  root
    .command("init")
    .description("write a metadata file from an MCP server, an A2A agent card or an OpenAPI document")
    .option("--mcp <url>", "an MCP server over HTTP")
    .option("--agent-card <url>", "an A2A agent card, or the agent's domain")
    .option("--openapi <url>", "an OpenAPI 3 document, JSON or YAML")
    .option("--name <text>", "name of the service")
    .option("--description <text>", "description of the service")
    .option("--publisher <text>", "who publishes it")
    .option("--traits <traits>", "further traits, separated by commas")
    .option("--out <file>", "file to write, - for standard output", "metadata.json")
    .option("--force", "overwrite an existing file")
    .addHelpText("after", examples)
    .action(
      action(async ({ terminal, timeoutMs }, options) => {
        const { out, force = false } = options;
        const source = chooseSource(options);
        if (out !== "-" && !force && existsSync(out)) {
          throw new UsageError(
            `The file ${out} already exists.`,
            "Add --force to overwrite it, or name another.",
          );
        }
        const draft = await draftMetadata(source, options, guardedFetch(timeoutMs));
        const text = `${JSON.stringify(draft.metadata, null, 2)}\n`;
        if (out !== "-") await writeFile(out, text);
        terminal.warn(checkFieldNames(draft.metadata));
        return initOutcome(out, text, draft);
      }),
    );
}

/** How each kind of service is read, and what is said of one that says nothing of itself. */
const readers = {
  mcp: async (url: string, start: Filled["metadata"], guarded: GuardedFetch) => {
    const filled = fillFromMcp(start, await importMcp(url, { guardedFetch: guarded }));
    const offered = filled.filled.slice(1, 4).join(", ");
    return { ...filled, fallback: `An MCP server that offers ${offered}.` };
  },
  agentCard: async (url: string, start: Filled["metadata"], guarded: GuardedFetch) => ({
    ...fillFromAgentCard(start, await importAgentCard(url, { guardedFetch: guarded })),
    fallback: "An A2A agent.",
  }),
  openapi: async (url: string, start: Filled["metadata"], guarded: GuardedFetch) => ({
    ...fillFromOpenApi(start, await importOpenApi(url, { guardedFetch: guarded })),
    fallback: "A REST API described by OpenAPI.",
  }),
};
const apiTraits = { mcp: "api:mcp", agentCard: "api:a2a", openapi: "api:rest" };
type Kind = keyof typeof readers;
type Texts = Partial<Record<"name" | "description" | "publisher" | "traits", string>>;

function chooseSource(options: Partial<Record<Kind, string>>): { kind: Kind; url: string } {
  const given = (["mcp", "agentCard", "openapi"] as const).filter((kind) => options[kind] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    throw new UsageError("One service is read.", "Give --mcp, --agent-card or --openapi, with its URL.");
  }
  const { [kind]: url = "" } = options;
  if (!URL.canParse(url)) throw new UsageError(`"${url}" is no URL.`, "Write the whole address, https://….");
  return { kind, url };
}

async function draftMetadata(
  { kind, url }: ReturnType<typeof chooseSource>,
  texts: Texts,
  guarded: GuardedFetch,
): Promise<Filled> {
  const { name, description, publisher } = texts;
  const further = (texts.traits ?? "").split(",").map((trait) => trait.trim());
  const traits = [...new Set([apiTraits[kind], ...further.filter(Boolean)])];
  const written = Object.entries({ name, description, publisher }).filter(([, text]) => text !== undefined);
  const start = { ...(Object.fromEntries(written) as Record<string, string>), traits };
  const { metadata, filled, fallback } = await readers[kind](url, start, guarded);
  // The schema asks for both; where the service is silent, its address and what it offers speak.
  const texted = { description: fallback, publisher: new URL(url).host, ...metadata };
  return { filled, metadata: { ...(metadata.name && { name: metadata.name }), ...texted } };
}

function initOutcome(out: string, text: string, { filled, metadata }: Filled): Outcome {
  const problems = documentProblems(metadata, Interfaces.Api, "", true);
  const exitCode = problems.length === 0 ? ExitCode.ok : ExitCode.failed;
  const json = { file: out === "-" ? null : out, filled, problems, metadata: JSON.parse(text) };
  if (out === "-") return { json, lines: [text.trimEnd()], exitCode };
  const next =
    problems.length === 0
      ? ["It may be published as it is."]
      : ["Still to be corrected:", ...problemLines(problems)];
  return { json, lines: [`Wrote ${out}: ${filled.join(", ")}.`, ...next], exitCode };
}
