import { CommanderError } from "commander";
import type { AppRegistryError } from "../errors/appRegistryError.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { exitCodeOf, UsageError } from "./exitCodes.ts";
import { type Outcome, paint } from "./terminal.ts";

/** What was thrown, as the outcome that a command ends with. */
export function failureOutcome(thrown: unknown): Outcome {
  const error = thrown instanceof CommanderError ? fromCommander(thrown) : toAppRegistryError(thrown);
  const exitCode = exitCodeOf(error);
  const { name, shortMessage: message, action, docsPath, retryable } = error;
  const { errorName, code } = error as AppRegistryError & { errorName?: string; code?: string };
  const json = { error: { name, code: errorName ?? code, message, action, docsPath, retryable, exitCode } };
  return {
    json,
    lines: [`${paint("red", "error")}  ${message}`, ...(action ? [`       ${action}`] : [])],
    exitCode,
  };
}

function fromCommander({ message }: CommanderError): UsageError {
  const sentence = message.replace(/^error: /, "");
  return new UsageError(
    `${sentence.charAt(0).toUpperCase()}${sentence.slice(1).replace(/\.?$/, ".")}`,
    "Run app-registry --help, or app-registry <command> --help.",
  );
}
