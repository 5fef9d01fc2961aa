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

/** Commands whose options a guide describes. */
const guides: Record<string, string> = {
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
  const guide = guides[name];
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
