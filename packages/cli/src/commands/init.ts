import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { GuardedFetch } from "@app-registry/outbound";
import { importAgentCard, importMcp, importOpenApi } from "@app-registry/outbound";
import { type Filled, fillFromAgentCard, fillFromMcp, fillFromOpenApi } from "@app-registry/outbound/fill";
import { canonicalizeValue, checkFieldNames, checkPublishable, Interfaces } from "@app-registry/sdk";
import { storageProblems } from "@app-registry/sdk/internal";
import { ExitCode, UsageError } from "../exitCodes.ts";
import { guardedFetch } from "../guardedFetch.ts";
import type { Root, Run } from "../program.ts";
import { columns, type Outcome } from "../terminal.ts";

const examples = `
What the service does not say of itself is taken from the options, else from its address, so that the file can be
published as it is.

Examples:
  $ app-registry init --mcp https://example.com/mcp
  $ app-registry init --agent-card https://agent.example.com --publisher "Example Ltd"
  $ app-registry init --openapi https://api.example.com/openapi.json --out weather.json`;

/** `init`: writes the metadata file of a service that describes itself. */
export function addInit(root: Root, run: Run): void {
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
    .option("--force", "write over a file that is there")
    .addHelpText("after", examples)
    .action((options, command) =>
      run(async (terminal) => {
        const { out, force = false } = options;
        const source = chooseSource(options);
        if (out !== "-" && !force && existsSync(out)) {
          throw new UsageError(
            `The file ${out} is there already.`,
            "Add --force to write over it, or name another.",
          );
        }
        const { filled, metadata } = await draft(
          source,
          options,
          guardedFetch(command.optsWithGlobals().timeout * 1_000),
        );
        const text = `${JSON.stringify(metadata, null, 2)}\n`;
        if (out !== "-") await writeFile(out, text);
        terminal.warn(checkFieldNames(metadata));
        const problems = checkPublishable(metadata, Interfaces.Api, "");
        if (problems.length === 0) {
          problems.push(...storageProblems(new TextEncoder().encode(canonicalizeValue(metadata)).length));
        }
        return initOutcome({ out, text, filled, problems });
      }),
    );
}

type Source = { kind: "mcp" | "agentCard" | "openapi"; url: string };
type Texts = Partial<Record<"name" | "description" | "publisher" | "traits", string>>;

function chooseSource(options: Partial<Record<Source["kind"], string>>): Source {
  const given = (["mcp", "agentCard", "openapi"] as const).flatMap((kind) => {
    const url = options[kind];
    return url === undefined ? [] : [{ kind, url }];
  });
  const [source] = given;
  if (source === undefined || given.length > 1) {
    throw new UsageError("One service is read.", "Give --mcp, --agent-card or --openapi, with its URL.");
  }
  if (!URL.canParse(source.url))
    throw new UsageError(`"${source.url}" is no URL.`, "Write the whole address, https://….");
  return source;
}

const apiTraits = { mcp: "api:mcp", agentCard: "api:a2a", openapi: "api:rest" };

async function draft({ kind, url }: Source, texts: Texts, guarded: GuardedFetch): Promise<Filled> {
  const { name, description, publisher } = texts;
  const further = (texts.traits ?? "")
    .split(",")
    .map((trait) => trait.trim())
    .filter(Boolean);
  const traits = [...new Set([apiTraits[kind], ...further])];
  const written = Object.entries({ name, description, publisher }).filter(([, text]) => text !== undefined);
  const start = { ...(Object.fromEntries(written) as Record<string, string>), traits };
  const { metadata, filled, fallback } = await read(kind, url, start, guarded);
  // The schema asks for both; where the service is silent, its address and what it offers speak.
  const defaults = { description: fallback, publisher: new URL(url).host };
  const [first, ...rest] = ["name", "description", "publisher"].map((field) => [
    field,
    metadata[field] ?? defaults[field as keyof typeof defaults],
  ]);
  return { filled, metadata: { ...Object.fromEntries([first ?? [], ...rest]), ...metadata } };
}

async function read(
  kind: Source["kind"],
  url: string,
  start: Filled["metadata"],
  guarded: GuardedFetch,
): Promise<Filled & { fallback: string }> {
  const source = { guardedFetch: guarded };
  if (kind === "agentCard") {
    const imported = await importAgentCard(url, source);
    return { ...fillFromAgentCard(start, imported), fallback: "An A2A agent." };
  }
  if (kind === "openapi") {
    const imported = await importOpenApi(url, source);
    return { ...fillFromOpenApi(start, imported), fallback: "A REST API described by OpenAPI." };
  }
  const imported = await importMcp(url, source);
  const filled = fillFromMcp(start, imported);
  return { ...filled, fallback: `An MCP server that offers ${filled.filled.slice(1, 4).join(", ")}.` };
}

function initOutcome(written: {
  out: string;
  text: string;
  filled: string[];
  problems: ReturnType<typeof checkPublishable>;
}): Outcome {
  const { out, text, filled, problems } = written;
  const exitCode = problems.length === 0 ? ExitCode.ok : ExitCode.failed;
  const json = { file: out === "-" ? null : out, filled, problems, metadata: JSON.parse(text) };
  if (out === "-") return { json, lines: [text.trimEnd()], exitCode };
  const left = columns(problems.map(({ pointer, message }) => [pointer || "(document)", message]));
  const next =
    problems.length === 0 ? ["It may be published as it is."] : ["Still to be corrected:", ...left];
  return { json, lines: [`Wrote ${out}: ${filled.join(", ")}.`, ...next], exitCode };
}
