import { defineConnect, runGuard, UsageError } from "@app-registry/mcp";
import type { FieldWarning } from "@app-registry/sdk";
import { CommanderError } from "commander";
import { addAudit } from "./commands/audit.ts";
import { addChallenge, addControllers, addReclaim } from "./commands/controllers.ts";
import { addDiff } from "./commands/diff.ts";
import { addValidate, registerHashCommand } from "./commands/documents.ts";
import { addGet, addVersions } from "./commands/get.ts";
import { addInit } from "./commands/init.ts";
import { addPublish } from "./commands/publish.ts";
import { addAllowlist, addSearch } from "./commands/search.ts";
import { addAttest, addRevoke } from "./commands/statements.ts";
import { addStatus } from "./commands/status.ts";
import { addProbe, addVerify } from "./commands/verify.ts";
import { addHelp, createProgram, type Program, versionOutcome } from "./program.ts";
import { refuseSecretArguments } from "./sending.ts";
import { failureOutcome, type Outcome, paint, type Screen, type Terminal } from "./terminal.ts";

const commands = [
  ...[
    addVerify,
    addProbe,
    addConnect,
    addGet,
    addSearch,
    addAllowlist,
    addAudit,
    addVersions,
    registerHashCommand,
    addValidate,
    addDiff,
    addInit,
    addPublish,
  ],
  ...[addStatus, addControllers, addChallenge, addReclaim, addAttest, addRevoke],
];

/**
 * Runs one command. Errors and warnings are part of the outcome. Returns `undefined` for help, which commander writes.
 */
export async function runProgram(args: readonly string[], screen: Screen): Promise<Outcome | undefined> {
  const warnings: FieldWarning[] = [];
  const warn = (found: readonly FieldWarning[]) => {
    warnings.push(...found);
    for (const { pointer, message } of found)
      screen.note([paint("yellow", "warning"), `  ${pointer}: ${message}`]);
  };
  const outcome = await runCommand(args, { ...screen, warn });
  return outcome && warnings.length > 0 ? { ...outcome, json: { ...outcome.json, warnings } } : outcome;
}

async function runCommand(args: readonly string[], terminal: Terminal): Promise<Outcome | undefined> {
  const version = versionOutcome(args);
  if (version) return version;
  try {
    refuseSecretArguments(args);
    const program = createCompleteProgram(terminal);
    await program.root.parseAsync(args, { from: "user" });
    return program.outcome();
  } catch (error) {
    return wroteHelp(error, terminal) ? undefined : failureOutcome(error);
  }
}

export function createCompleteProgram(terminal: Terminal) {
  const program = createProgram(terminal);
  const { root } = program;
  for (const add of commands) add(program);
  for (const command of [root, ...root.commands.filter(({ commands: own }) => own.length > 0)])
    addHelp(command);
  return program;
}

/** Returns true if commander wrote help. Without a command it does, except with `--json`, where it is an error. */
const wroteHelp = (error: unknown, { json }: Terminal): boolean =>
  error instanceof CommanderError && (error.exitCode === 0 || (error.code === "commander.help" && !json));

/** Adds `connect`, which is `app-registry-mcp connect`. */
function addConnect({ root, action }: Program): void {
  defineConnect(root.command("connect")).action(
    action(async ({ connect, terminal }, service, options) => {
      if (terminal.json) throw new UsageError("connect doesn't support --json, because its output is MCP.");
      await runGuard(await connect(), service, options, terminal.note);
      return { json: {}, lines: [] };
    }),
  );
}
