import { addCommands } from "./commands/index.ts";
import { ExitCode } from "./exitCodes.ts";
import { failureOutcome } from "./failure.ts";
import { refuseSecretArguments } from "./keyArguments.ts";
import { createRoot, type Run } from "./program.ts";
import { formatOutcome, type Outcome, type Terminal } from "./terminal.ts";

/** `app-registry <command>`: reads the arguments, runs one command, writes its outcome and ends with its code. */
const args = process.argv.slice(2);
const json = args.includes("--json");
const terminal: Terminal = {
  json,
  interactive: Boolean(process.stdin.isTTY && process.stderr.isTTY),
  note: (line) => void (json || process.stderr.write(`${line}\n`)),
};

let outcome: Outcome | undefined;
const run: Run = async (command) => {
  outcome = await command(terminal);
};

async function main(): Promise<Outcome> {
  try {
    refuseSecretArguments(args);
    const root = createRoot();
    addCommands(root, run);
    await root.parseAsync(args, { from: "user" });
    return outcome ?? { json: {}, lines: [] };
  } catch (error) {
    // The help was asked for, and commander has written it.
    if ((error as { exitCode?: number }).exitCode === 0) return { json: {}, lines: [] };
    return failureOutcome(error);
  }
}

const result = await main();
const { exitCode = ExitCode.ok } = result;
const isError = "error" in result.json && !json;
const stream = isError ? process.stderr : process.stdout;
const text = outcome || "error" in result.json ? formatOutcome(result, json) : "";
// A connection that is still open must not hold the command.
stream.write(text, () => process.exit(exitCode));
