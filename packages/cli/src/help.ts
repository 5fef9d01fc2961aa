import { createRequire } from "node:module";
import { UsageError } from "@app-registry/mcp";
import { type CommandUnknownOpts, Help, Option } from "@commander-js/extra-typings";
import type { Outcome } from "./terminal.ts";

const versionFlags = ["-V", "--version"];
const versionOption = new Option(versionFlags.join(", "), "print the version");

/** Configuration of the help. It adds the program's version option, which is not registered with commander. */
export const helpConfiguration: Partial<Help> = {
  showGlobalOptions: true,
  sortSubcommands: false,
  visibleOptions(this: Help, command) {
    const options = Help.prototype.visibleOptions.call(this, command);
    return command.parent ? options : [...options, versionOption];
  },
};

/** Version of the package, from its manifest, which is a folder above both the sources and the bundle. */
const packageVersion: string = createRequire(import.meta.url)("../package.json").version;

/**
 * Returns the version if the first argument is a version option. Commander would confuse a program option with the
 * option `--version <version>` of `publish`.
 */
export function versionOutcome(args: readonly string[]): Outcome | undefined {
  const first = args.find((argument) => argument !== "--json");
  if (first === undefined || !versionFlags.includes(first)) return undefined;
  return { json: { version: packageVersion }, lines: [packageVersion] };
}

/** Adds `help [command...]`, which shows the help of a command at any depth and rejects unknown names. */
export function addHelp(parent: CommandUnknownOpts): void {
  parent
    .helpCommand(false)
    .command("help")
    .description("show the help of a command")
    .argument("[command...]")
    .action((names: string[]) => {
      let command = parent;
      for (const name of names) {
        const found = command.commands.find((one) => one.name() === name || one.aliases().includes(name));
        if (!found) throw new UsageError(`Unknown command '${name}'.`, "Run app-registry --help.");
        command = found;
      }
      command.help();
    });
}
