import { promisify } from "node:util";
import { ExitCode } from "@app-registry/mcp";
import { runProgram } from "./run.ts";
import { formatLine, formatOutcome, type Screen } from "./terminal.ts";

// Runs `app-registry <command>`, writes the outcome and exits with its code.
const args = process.argv.slice(2);
const json = args.includes("--json");
const screen: Screen = {
  json,
  interactive: Boolean(process.stdin.isTTY && process.stderr.isTTY),
  note: (line) => void (json || process.stderr.write(`${formatLine(line, process.stderr)}\n`)),
};

const outcome = await runProgram(args, screen);
const stream = outcome && "error" in outcome.json && !json ? process.stderr : process.stdout;
const text = outcome ? formatOutcome(outcome, json, stream) : "";
let exitCode = outcome?.exitCode ?? ExitCode.ok;
try {
  stream.on("error", () => undefined);
  await promisify(stream.write.bind(stream) as (text: string, done: (error?: Error | null) => void) => void)(
    text,
  );
} catch {
  // Whoever reads the output has not got all of it.
  exitCode = ExitCode.failed;
}
// Exit explicitly: an open connection would keep the process running.
process.exit(exitCode);
