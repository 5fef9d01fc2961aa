import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { markdownTable } from "../../bench/results.ts";
import { addSigningOptions } from "../../packages/cli/src/program.ts";
import { createCompleteProgram } from "../../packages/cli/src/run.ts";
import { rootDirectory } from "../stack/processes.ts";
import { escapeCell, replaceBlock } from "./replaceBlock.ts";

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

/** Formats a command. An option or argument that another command has with the same text is described there alone. */
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
  /** Returns the command that describes a row, which is this one if none does yet. */
  function findDescription(row: readonly string[]): string {
    const key = row.join();
    described.set(key, described.get(key) ?? name);
    return described.get(key) as string;
  }
  const argumentRows = command.registeredArguments.map(({ description }, index) => [
    escapeCell(`\`${places[index]}\``),
    escapeCell(description),
  ]);
  const shared = Map.groupBy(own, (option) => findDescription(describeOption(option)));
  const rows = [
    ...argumentRows.filter((row) => findDescription(row) === name),
    ...(shared.get(name) ?? []).map(describeOption),
  ];
  shared.delete(name);
  const subcommands = command.commands.filter((one) => one.name() !== "help");
  const signs = own.length < command.options.length ? " [Signs](#keys)." : "";
  const others = [...shared].map(
    ([other, options]) => ` Also ${options.map(({ long }) => `\`${long}\``).join(", ")} of ${other}.`,
  );
  const usage = subcommands.length > 0 ? "" : `\`${[name, ...places].join(" ")}\` `;
  return [
    `${heading} ${name}`,
    `${usage}${sentence(command.description())}${signs}${others.join("")}`,
    ...(rows.length > 0 ? [markdownTable(["", ""], rows)] : []),
    ...subcommands.map((one) => renderCommand(one, described, `${name} `, "####")),
  ].join("\n\n");
}

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
