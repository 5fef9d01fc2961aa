import { createRequire } from "node:module";
import {
  addRegistryOptions,
  type Connection,
  connect,
  type RootOptions,
  UsageError,
} from "@app-registry/mcp";
import type { PreparedCall } from "@app-registry/sdk";
import {
  Command,
  type CommandUnknownOpts,
  Help,
  Option,
  type OptionValues,
} from "@commander-js/extra-typings";
import type { Address } from "viem";
import { parseAddress } from "./inputs.ts";
import { openSender, runCallCommands, type SigningOptions } from "./sending.ts";
import type { Outcome, Terminal } from "./terminal.ts";

const versionFlags = ["-V", "--version"];
const versionOption = new Option(versionFlags.join(", "), "print the version");

/** Configuration of the help. It adds the program's version option, which is not registered with commander. */
const helpConfiguration: Partial<Help> = {
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

const examples = `
Examples:
  $ app-registry search weather --registry https://registry.example.com
  $ app-registry verify did:web:example.com
  $ app-registry init https://example.com/mcp
  $ app-registry publish metadata.json --did did:web:example.com --version 1.0.0

Exit codes: 0 success, 1 failed or rejected, 2 incorrect usage, 3 something did not respond (try again).
Keys are read from PRIVATE_KEY or a keystore file, never from arguments.`;

/** Creates the program without its commands, with the options that all commands share. */
function createRoot({ json }: Terminal) {
  return addRegistryOptions(new Command("app-registry"))
    .description("Find, verify and publish services in an App Registry.")
    .option("--json", "print the result as one JSON object")
    .configureHelp(helpConfiguration)
    .addHelpText("after", examples)
    .showHelpAfterError(false)
    .exitOverride()
    .configureOutput({
      outputError: () => undefined,
      // Write help to standard output: without a command, commander treats it as an error.
      writeErr: (text) => void (json || process.stdout.write(text)),
    });
}

export type Session = {
  terminal: Terminal;
  /** Time limit for a host or the chain, in milliseconds. */
  timeoutMs: number;
  /** Finds the registry. Throws the errors of {@link connect}. */
  connect: () => Promise<Connection>;
};

/** Adds the options of a command that sends a transaction: the signing account, dry run and confirmation. */
export function addSigningOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options, RootOptions>,
) {
  command
    .addOption(
      new Option("--keystore <file>", "encrypted keystore with your key (Web3 Secret Storage v3)").env(
        "KEYSTORE_FILE",
      ),
    )
    .option("--dry-run", "show the call, its arguments and its gas cost without sending it")
    .option("--from <address>", "account to simulate with --dry-run (no key needed)", parseAddress("--from"))
    .option("-y, --yes", "don't ask before sending");
  return command as unknown as Command<Args, Options & SigningOptions, RootOptions>;
}

/** Contract call, or several that are sent one after another, with additional fields for the outcome. */
type CallWithOutput = { call: PreparedCall | PreparedCall[] } & Record<string, unknown>;

/** Creates the program, with functions that set the actions of its commands. */
export function createProgram(terminal: Terminal) {
  const root = createRoot(terminal);
  let outcome: Outcome | undefined;

  /** Wraps an action so that its outcome becomes that of the program. */
  const action =
    <Input extends unknown[]>(act: (session: Session, ...input: Input) => Promise<Outcome>) =>
    async (...given: [...Input, CommandUnknownOpts]): Promise<void> => {
      const input = given.slice(0, -1) as Input;
      const options: RootOptions = root.opts();
      const session = { terminal, timeoutMs: options.timeout * 1_000, connect: () => connect(options) };
      outcome = await act(session, ...input);
    };

  /**
   * Completes a command that makes contract calls for a DID. `prepare` checks the arguments before any request, and
   * returns a function that creates the call.
   */
  function sends<Rest extends unknown[], Options extends OptionValues>(
    command: Command<[string, ...Rest], Options, RootOptions>,
    prepare: (
      did: string,
      ...input: [...Rest, Options]
    ) => (connection: Connection, from: Address) => CallWithOutput | Promise<CallWithOutput>,
  ): void {
    const act = action(async (session, did: string, ...input: [...Rest, Options & SigningOptions]) => {
      const makeCall = prepare(did, ...input);
      const connection = await session.connect();
      const sender = await openSender(connection, input.at(-1) as SigningOptions, terminal);
      const { call, ...json } = await makeCall(connection, sender.address);
      return runCallCommands(connection, sender, [call].flat(), { did, ...json });
    });
    (addSigningOptions(command) as CommandUnknownOpts).action(act as (...given: unknown[]) => Promise<void>);
  }

  return { root, action, sends, outcome: () => outcome };
}

export type Program = ReturnType<typeof createProgram>;
