import type { FieldWarning } from "@app-registry/sdk";
import { CommanderError } from "commander";
import { addCommands } from "./commands/index.ts";
import { failureOutcome } from "./failure.ts";
import { versionOutcome } from "./help.ts";
import { refuseSecretArguments } from "./keyArguments.ts";
import { createRoot, type Run } from "./program.ts";
import { type Outcome, paint, type Screen, type Terminal } from "./terminal.ts";

/**
 * Runs one command. What it throws is an outcome too, and so are its warnings; help is written by commander, and is
 * none.
 */
export async function runProgram(args: readonly string[], screen: Screen): Promise<Outcome | undefined> {
  const warnings: FieldWarning[] = [];
  const warn = (found: readonly FieldWarning[]) => {
    warnings.push(...found);
    for (const { pointer, message } of found)
      screen.note(`${paint("yellow", "warning")}  ${pointer}: ${message}`);
  };
  const outcome = await runCommand(args, { ...screen, warn });
  return outcome && warnings.length > 0 ? { ...outcome, json: { ...outcome.json, warnings } } : outcome;
}

async function runCommand(args: readonly string[], terminal: Terminal): Promise<Outcome | undefined> {
  let outcome = versionOutcome(args);
  if (outcome) return outcome;
  const run: Run = async (command) => {
    outcome = await command(terminal);
  };
  try {
    refuseSecretArguments(args);
    const root = createRoot(terminal);
    addCommands(root, run);
    await root.parseAsync(args, { from: "user" });
    return outcome;
  } catch (error) {
    return wroteHelp(error, terminal) ? undefined : failureOutcome(error);
  }
}

/** A person who names no command gets its help; a program that names none is told so. */
const wroteHelp = (error: unknown, { json }: Terminal): boolean =>
  error instanceof CommanderError && (error.exitCode === 0 || (error.code === "commander.help" && !json));
