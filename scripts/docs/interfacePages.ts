import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type * as z from "zod/mini";
import { formatNumber, markdownTable } from "../../bench/results.ts";
import { addSigningOptions } from "../../packages/cli/src/program.ts";
import { createCompleteProgram } from "../../packages/cli/src/run.ts";
import { MAX_JSON_DEPTH } from "../../packages/sdk/src/json.ts";
import { fieldDescriptions } from "../../packages/sdk/src/metadata/describedFields.ts";
import {
  getMeaning,
  getUsualSchema,
  isUnchecked,
  isUrlSchema,
} from "../../packages/sdk/src/metadata/fieldDescription.ts";
import * as limits from "../../packages/sdk/src/metadata/limits.ts";
import { metadataSchema } from "../../packages/sdk/src/metadata/metadataSchema.ts";
import { MAX_TRAIT_LENGTH, MAX_TRAITS } from "../../packages/sdk/src/traits.ts";
import { rootDirectory } from "../stack/processes.ts";
import { escapeCell, replaceBlock } from "./operationPages.ts";

type Content = { content?: Record<string, { schema: { properties?: object; required?: string[] } }> };
type Operation = {
  summary: string;
  parameters?: { name: string; in: string; required: boolean }[];
  requestBody?: Content;
};
type Api = {
  openApiDocument(publicUrl: string): { paths: Record<string, Record<string, Operation>> };
};

/** Returns the text of docs/http-api.md with the routes of the OpenAPI document. */
export async function renderHttpPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/http-api.md"), "utf8");
  // Imported by its path, because the type check of the scripts can't read the web app's components.
  const { openApiDocument }: Api = await import(join(rootDirectory, "apps/web/lib/server/api.ts"));
  const { paths } = openApiDocument("https://registry.example");
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describeOperation(method, path, operation)),
  );
  return replaceBlock(page, "routes", markdownTable(["Route", "Effect", "Parameters"], rows));
}

/** Parameters of routes that a guide describes. */
const guides: Record<string, string> = {
  "/api/search": "[those of a search](search.md#parameters)",
  "/api/allowlist": "`client`, `facts`?, `only`?, [filters](allowlists.md)",
};

function describeOperation(method: string, path: string, operation: Operation): string[] {
  const { summary, parameters = [], requestBody } = operation;
  if (!summary) throw new Error(`${method} ${path} has no summary`);
  const [body] = Object.values(requestBody?.content ?? {});
  const names = [
    ...parameters
      .filter((parameter) => parameter.in !== "path")
      .map(({ name, required }) => toName(name, required)),
    ...Object.keys(body?.schema.properties ?? {}).map((name) =>
      toName(name, body?.schema.required?.includes(name) === true),
    ),
  ];
  return [`${method.toUpperCase()} \`${path}\``, summary, guides[path] ?? names.join(", ")].map((cell) =>
    escapeCell(cell).replaceAll("<", "&lt;"),
  );
}

const toName = (name: string, required: boolean) => `\`${name}\`${required ? "" : "?"}`;

const terminal = { json: false, interactive: false, note: () => undefined, warn: () => undefined };
const { root } = createCompleteProgram(terminal);
type Command = (typeof root.commands)[number];
type Option = Command["options"][number];

const signingOptions = addSigningOptions(root.createCommand("signing")).options;
const signingFlags = new Set(signingOptions.map(({ flags }) => flags));

/** Returns the text of docs/cli.md with the options and commands that the program has. */
export async function renderCliPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/cli.md"), "utf8");
  const withGlobal = replaceBlock(page, "global-options", renderOptions(root.options));
  const withSigning = replaceBlock(withGlobal, "signing-options", renderOptions(signingOptions));
  const commands = root.commands.filter((command) => command.name() !== "help");
  const described = new Map<string, string>();
  return replaceBlock(
    withSigning,
    "commands",
    commands.map((command) => renderCommand(command, described)).join("\n\n"),
  );
}

/** Commands whose options a guide describes. */
const cliGuides: Record<string, string> = {
  connect: "connect.md#options",
  search: "search.md#parameters",
  allowlist: "allowlists.md",
};

/** Formats a command. An option that a guide or another command describes is only named. */
function renderCommand(
  command: Command,
  described: Map<string, string>,
  prefix = "",
  heading = "###",
): string {
  const name = `${prefix}${command.name()}`;
  const own = command.options.filter(({ flags }) => !signingFlags.has(flags));
  const places = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  const subcommands = command.commands.filter((one) => one.name() !== "help");
  const usage = subcommands.length > 0 ? "" : `\`${[name, ...places].join(" ")}\` `;
  const signs = own.length < command.options.length ? " [Signs](#keys)." : "";
  const about = `${usage}${sentence(command.description())}${signs}`;
  const guide = cliGuides[name];
  if (guide) return `${heading} ${name}\n\n${about} [Options](${guide}): ${listNames(own)}.`;

  const shared = Map.groupBy(own, (option) => {
    const key = describeOption(option).join();
    described.set(key, described.get(key) ?? name);
    return described.get(key) as string;
  });
  const rows = (shared.get(name) ?? []).map(describeOption);
  shared.delete(name);
  const others = [...shared].map(([other, options]) => ` Also ${listNames(options)} of ${other}.`);
  return [
    `${heading} ${name}`,
    `${about}${others.join("")}`,
    ...(rows.length > 0 ? [markdownTable(["Option", ""], rows)] : []),
    ...subcommands.map((one) => renderCommand(one, described, `${name} `, "####")),
  ].join("\n\n");
}

const listNames = (options: readonly Option[]) => options.map(({ long }) => `\`${long}\``).join(", ");

const renderOptions = (options: readonly Option[]) =>
  markdownTable(["Option", ""], options.map(describeOption));

function describeOption({
  flags,
  description,
  mandatory,
  envVar,
  argChoices,
  defaultValue,
}: Option): string[] {
  const notes = [
    ...(mandatory ? ["required"] : []),
    ...(argChoices?.some((choice) => !description.includes(choice)) ? [argChoices.join(", ")] : []),
    ...((typeof defaultValue === "string" || typeof defaultValue === "number") && defaultValue
      ? [`default: \`${defaultValue}\``]
      : []),
    ...(envVar ? [`variable: \`${envVar}\``] : []),
  ];
  return [
    escapeCell(`\`${flags}\``),
    escapeCell(`${description}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}`),
  ];
}

function sentence(text: string): string {
  if (!text) throw new Error("A command has no description");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Returns the text of docs/metadata.md with the fields of the JSON Schema and the limits. */
export async function renderMetadataPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/metadata.md"), "utf8");
  return replaceBlock(
    replaceBlock(page, "metadata-fields", renderFields()),
    "metadata-limits",
    renderLimits(),
  );
}

/** Formats the fields of the document and of its entries. The JSON Schema has those below. */
const renderFields = (): string =>
  markdownTable(
    ["Field", "Type", "Meaning"],
    listFieldRows(metadataSchema).filter(([path = ""]) => path.split(".").length <= 2),
  );

/** Returns the rows of a schema's fields, with `[]` for the entries of a list and `*` for any key. */
export function listFieldRows(schema: z.core.$ZodType, path = ""): string[][] {
  const { def } = getUsualSchema(schema)._zod;
  if (def.type === "array") return listFieldRows(def.element, `${path}[]`);
  if (def.type === "record") return listFieldRows(def.valueType, `${path}.*`);
  if (def.type !== "object") return [];
  return Object.entries(def.shape).flatMap(([name, field]) => {
    const place = path === "" ? name : `${path}.${name}`;
    const isRequired = field._zod.def.type !== "optional";
    const meaning = getMeaning(fieldDescriptions.get(field) ?? {}) ?? "";
    return [
      [
        `\`${place}\``,
        formatType(field) + (isRequired ? ", required" : "") + (isUnchecked(field) ? ", not checked" : ""),
        meaning,
      ],
      ...listFieldRows(field, place),
    ];
  });
}

function formatType(schema: z.core.$ZodType): string {
  if (isUrlSchema(schema)) return "URL";
  const { def } = getUsualSchema(schema)._zod;
  if (def.type === "union") return def.options.map(formatType).join(" or ");
  if (def.type === "enum") return Object.values(def.entries).join(" or ");
  if (def.type === "array") return `list of ${formatType(def.element)}`;
  return { record: "object", unknown: "any" }[def.type as string] ?? def.type;
}

const renderLimits = (): string =>
  markdownTable(
    ["Item", "At most"],
    [
      ["name, publisher, each other `name`", `${limits.MAX_NAME_LENGTH} characters`],
      ["description", `${formatNumber(limits.MAX_DESCRIPTION_LENGTH)} characters`],
      ["releaseNotes, deprecation", `${formatNumber(limits.MAX_NOTES_LENGTH)} characters`],
      ["URL", `${formatNumber(limits.MAX_URL_LENGTH)} characters`],
      ["traits", `${MAX_TRAITS}, of ${MAX_TRAIT_LENGTH} characters`],
      ["endpoints, payments, each list of URLs", formatNumber(limits.MAX_LIST_LENGTH)],
      ["tools, resources, prompts of an endpoint", `${formatNumber(limits.MAX_MCP_ENTRIES)} each`],
      ["document", `${formatNumber(limits.MAX_DOCUMENT_SIZE)} bytes of canonical text`],
      [
        "document stored on the chain",
        `${formatNumber(limits.MAX_STORED_METADATA_SIZE)} bytes of canonical text`,
      ],
      ["nesting", `${MAX_JSON_DEPTH} levels`],
    ],
  );
