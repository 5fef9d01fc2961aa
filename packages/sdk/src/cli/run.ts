import { addCommands } from "./commands/index.ts";
import { failureOutcome } from "./failure.ts";
import { refuseSecretArguments } from "./keyArguments.ts";
import { createRoot, type Run } from "./program.ts";
import type { Outcome, Terminal } from "./terminal.ts";

/** Runs one command. What it throws is an outcome too; help that was asked for is written by commander, and is none. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<Outcome | undefined> {
  let outcome: Outcome | undefined;
  const run: Run = async (command) => {
    outcome = await command(terminal);
  };
  try {
    refuseSecretArguments(args);
    const root = createRoot();
    addCommands(root, run);
    await root.parseAsync(args, { from: "user" });
    return outcome;
  } catch (error) {
    return (error as { exitCode?: unknown }).exitCode === 0 ? undefined : failureOutcome(error);
  }
}
