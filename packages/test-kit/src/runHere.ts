import { runProgram } from "../../cli/src/run.ts";
import { formatOutcome } from "../../cli/src/terminal.ts";

/** Runs a command in this process, for what needs no process of its own. */
export async function runHere(args: readonly string[]) {
  const outcome = await runProgram(args, { json: true, interactive: false, note: () => undefined });
  if (!outcome) throw new Error("The command wrote its help");
  const { exitCode: code = 0 } = outcome;
  const json = () => JSON.parse(formatOutcome(outcome, true)) as Record<string, unknown>;
  return { code, text: formatOutcome(outcome, false).trimEnd(), json };
}
