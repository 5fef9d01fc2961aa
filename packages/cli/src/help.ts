import { createRequire } from "node:module";
import { UsageError } from "@app-registry/mcp";
import { type CommandUnknownOpts, Help, Option } from "@commander-js/extra-typings";
import type { Outcome } from "./terminal.ts";

const versionFlags = ["-V", "--version"];
const versionOption = new Option(versionFlags.join(", "), "print the version");

/** Lists the program's version option in its help, because commander doesn't know that option. */
export const helpConfiguration: Partial<Help> = {
  showGlobalOptions: true,
  sortSubcommands: false,
  visibleOptions(this: Help, command) {
    const options = Help.prototype.visibleOptions.call(this, command);
    return command.parent ? options : [...options, versionOption];
  },
};

/** The version of the package, from its manifest: sources and what is built from them are at different depths. */
const packageVersion: string = createRequire(import.meta.url)("@app-registry/cli/package.json").version;

/**
 * The version, if the first argument asks for it. As an option of the program, commander would confuse it with the
 * `--version <version>` of `publish` and `update`.
 */
export function versionOutcome(args: readonly string[]): Outcome | undefined {
  const first = args.find((argument) => argument !== "--json");
  if (first === undefined || !versionFlags.includes(first)) return undefined;
  return { json: { version: packageVersion }, lines: [packageVersion] };
}

/** Adds `help [command...]`, which shows the help of a command at any depth, and refuses unknown names. */
export function addHelp(parent: CommandUnknownOpts): void {
  parent
    .helpCommand(false)
    .command("help")
    .description("show the help of a command")
    .argument("[command...]")
    .action((names: string[]) => {
      let command = parent;
      for (const name of names) {
        const found = command.commands.find((one) => one.name() === name);
        if (!found) throw new UsageError(`Unknown command '${name}'.`, "Run app-registry --help.");
        command = found;
      }
      command.help();
    });
}
