import { runProgram } from "../../cli/src/run.ts";
import { formatOutcome } from "../../cli/src/terminal.ts";

/** Runs a command in this process, which is faster than a separate one. */
export async function runHere(args: readonly string[]) {
  const outcome = await runProgram(args, { json: true, interactive: false, note: () => undefined });
  if (!outcome) throw new Error("The command wrote its help");
  const { exitCode: code = 0 } = outcome;
  const json = () => JSON.parse(formatOutcome(outcome, true)) as Record<string, unknown>;
  return { code, text: formatOutcome(outcome, false).trimEnd(), json };
}
