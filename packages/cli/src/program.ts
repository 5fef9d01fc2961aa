import { Command, Option } from "@commander-js/extra-typings";
import { UsageError } from "./exitCodes.ts";
import { helpConfiguration } from "./help.ts";
import type { Outcome, Terminal } from "./terminal.ts";

/** Seconds that a host or the chain has to answer. */
const DEFAULT_TIMEOUT = 15;

const examples = `
Examples:
  $ app-registry search weather --registry https://registry.example.com
  $ app-registry verify did:web:example.com
  $ app-registry init --mcp https://example.com/mcp
  $ app-registry publish metadata.json --did did:web:example.com --version 1.0.0

Exit codes: 0 done, 1 failed or refused, 2 usage, 3 something did not answer (try again).
Keys come from PRIVATE_KEY or a keystore file, never from arguments.`;

/** Reads whole or fractional seconds. */
function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value > 0 && value <= 3_600)) {
    throw new UsageError("--timeout is a number of seconds, above 0 and at most 3600.");
  }
  return value;
}

/** The program without its commands: what every command shares. */
export function createRoot({ json }: Pick<Terminal, "json">) {
  return new Command("app-registry")
    .description("Find, verify and publish services of an App Registry.")
    .addOption(
      new Option(
        "--app, --registry <url>",
        "a registry's web service: where its contracts are, and its issuer",
      ).env("APP_URL"),
    )
    .addOption(
      new Option(
        "--deployment <file>",
        "deployment file of the contracts, instead of asking the service",
      ).env("DEPLOYMENT_FILE"),
    )
    .addOption(new Option("--rpc-url <url>", "JSON-RPC endpoint of the chain").env("RPC_URL"))
    .option("--timeout <seconds>", "time for a host or the chain to answer", seconds, DEFAULT_TIMEOUT)
    .option("--json", "write one JSON object to standard output")
    .configureHelp(helpConfiguration)
    .addHelpText("after", examples)
    .showHelpAfterError(false)
    .exitOverride()
    .configureOutput({
      outputError: () => undefined,
      // The help of whoever names no command, which commander takes for an error.
      writeErr: (text) => void (json || process.stdout.write(text)),
    });
}

export type Root = ReturnType<typeof createRoot>;
export type RootOptions = ReturnType<Root["opts"]>;

/** Account that signs, and how far a write goes. */
export const signingOptions = {
  keystore: new Option("--keystore <file>", "encrypted keystore (Web3 Secret Storage v3) of the key").env(
    "KEYSTORE_FILE",
  ),
  dryRun: new Option("--dry-run", "show the call, its arguments and its gas, and send nothing"),
  from: new Option("--from <address>", "account of a dry run, which needs no key"),
  yes: new Option("-y, --yes", "don't ask before sending"),
};

/** Runs a command and keeps its outcome; what it throws is an outcome too. */
export type Run = (command: (terminal: Terminal) => Promise<Outcome>) => Promise<void>;
