import { toExitCode, UsageError } from "@app-registry/mcp";
import type { AppRegistryError } from "@app-registry/sdk";
import { AttestationRefusedError, InsufficientFundsError, toAppRegistryError } from "@app-registry/sdk";
import { CommanderError } from "commander";
import { type Line, type Outcome, paint } from "./terminal.ts";

/** Converts an error to the outcome of a command. */
export function failureOutcome(thrown: unknown): Outcome {
  const error = thrown instanceof CommanderError ? fromCommander(thrown) : toAppRegistryError(thrown);
  const exitCode = toExitCode(error);
  const { name, shortMessage: message, action, docsPath, retryable } = error;
  const { errorName, code } = error as AppRegistryError & { errorName?: string; code?: string };
  const { answer } = error instanceof AttestationRefusedError ? error : {};
  const publish = answer?.publish;
  const stable = errorName ?? code ?? answer?.code ?? answer?.status;
  const funds = error instanceof InsufficientFundsError ? error.funds : undefined;
  const json = {
    error: { name, code: stable, message, action, docsPath, retryable, exitCode, publish, funds },
  };
  const lines: Line[] = [[paint("red", "error"), `  ${message}`], ...(action ? [`       ${action}`] : [])];
  const txt = publish?.txt && [`or a DNS TXT record of ${publish.txt.name}:`, publish.txt.record];
  if (publish) lines.push("", `${publish.url}:`, ...publish.text.split("\n"), ...(txt ?? []));
  return { json, lines, exitCode };
}

const helpAction = "See app-registry --help or app-registry <command> --help.";

function fromCommander({ code, message }: CommanderError): UsageError {
  // Commander throws this error if no command is given.
  if (code === "commander.help") return new UsageError("No command specified.", helpAction);
  const sentence = message.replace(/^error: /, "");
  return new UsageError(
    `${sentence.charAt(0).toUpperCase()}${sentence.slice(1).replace(/\.?$/, ".")}`,
    helpAction,
  );
}
