import { styleText } from "node:util";
import { type ExitCode as Code, ExitCode, toExitCode, UsageError } from "@app-registry/mcp";
import {
  type AppRegistryError,
  type AppStatus,
  AttestationRefusedError,
  appStatusLabels,
  type FieldWarning,
  InsufficientFundsError,
  toAppRegistryError,
  visibleText,
} from "@app-registry/sdk";
import { escapeInvisible, isoTime } from "@app-registry/sdk/internal";
import { CommanderError } from "commander";
import stringWidth from "fast-string-width";

type Style = "green" | "red" | "yellow" | "dim" | "bold";

/** Text with a style for terminals. */
export type Styled = { style: Style; text: string };

type Part = string | Styled;

/** One line for people, as a text or as parts. */
export type Line = Part | readonly Part[];

export type Outcome = {
  /** Members of the JSON object on standard output, for programs. */
  json: Record<string, unknown>;
  /** Lines on standard output, for people. */
  lines: readonly Line[];
  /** Document to write before the lines. Programs may read it from standard output. */
  document?: string;
  /** Exit code. Default 0. */
  exitCode?: Code;
};

export type Screen = {
  /** True with `--json`: standard output gets only one JSON object. */
  json: boolean;
  /** Writes a line about the progress to standard error. */
  note(line: Line): void;
  /** True if a user can answer prompts. */
  interactive: boolean;
};

export type Terminal = Screen & {
  /** Reports fields that are probably misspelled, on standard error or with `--json` in `warnings`. */
  warn(warnings: readonly FieldWarning[]): void;
};

/** Replaces bigints (token IDs, gas and wei) by decimal strings, because JSON has no bigint. */
const replaceBigInt = (_: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);

/**
 * Formats the standard output of a finished command. Each line is one line on the screen, even if it contains untrusted
 * text.
 */
export function formatOutcome(outcome: Outcome, asJson: boolean, stream: Output = process.stdout): string {
  const { json, lines, document, exitCode = ExitCode.ok } = outcome;
  if (asJson)
    return `${escapeInvisible(JSON.stringify({ ok: exitCode === ExitCode.ok, ...json }, replaceBigInt, 2))}\n`;
  // Write the exact bytes of a document for a program, so that they match the registered hash.
  const first = document === undefined ? [] : [stream.isTTY ? escapeInvisible(document) : document];
  const written = [...first, ...lines.map((line) => formatLine(line, stream))];
  return written.length === 0 ? "" : `${written.join("\n")}\n`;
}

type Output = { isTTY?: boolean; hasColors?(): boolean };

/** Formats a line for a stream: removes control characters of untrusted text, and applies styles for a terminal. */
export function formatLine(line: Line, stream: Output): string {
  const parts = typeof line === "object" && !("style" in line) ? line : [line];
  const hasColors = stream.isTTY && stream.hasColors?.();
  return parts
    .map((part) => {
      if (typeof part === "string") return inOneLine(part);
      return hasColors ? styled(part.style, inOneLine(part.text)) : inOneLine(part.text);
    })
    .join("")
    .trimEnd();
}

// Turn off the check of `styleText`, because the stream and its colors are checked above.
const styled = (style: Style, text: string): string => styleText(style, text, { validateStream: false });

/** Makes a text one visible line. Keeps the spaces at both ends, which align columns. */
const inOneLine = (text: string): string => visibleText(`|${text}|`).slice(1, -1);

/** Formats rows of two aligned columns. Omits rows without a value. */
export function table(rows: readonly (readonly [string, string | number | bigint | undefined])[]): Line[] {
  const shown = rows.filter(([, value]) => value !== undefined && value !== "");
  return columns(shown.map(([name, value]) => [name, String(value)]));
}

/** Formats named times, given in Unix seconds, one per line. */
export const times = (rows: Record<string, number>): Line[] =>
  table(Object.entries(rows).map(([name, at]) => [name, isoTime(at)]));

/** Formats rows of aligned columns. Collapses spaces in a cell, so that it can't imitate a column. */
export function columns(rows: readonly (readonly Part[])[]): Line[] {
  const cells = rows.map((row) =>
    row.map((part) => mapText(part, (text) => visibleText(text.replace(/\s+/g, " ")))),
  );
  const widths = (cells[0] ?? []).map((_, index) => Math.max(...cells.map((row) => cellWidth(row[index]))));
  return cells.map((row) =>
    row.flatMap((cell, index) => {
      const gap = index === row.length - 1 ? "" : " ".repeat((widths[index] ?? 0) - cellWidth(cell) + 2);
      return [cell, gap];
    }),
  );
}

/** Maximum length of a text in a table, in characters. A longer one would wrap and could imitate another row. */
const MAX_LETTERS = 60;

/** Truncates an untrusted text so that it can't imitate another row of its table. */
export function shortened(text: string): string {
  const letters = [...text];
  return letters.length > MAX_LETTERS ? `${letters.slice(0, MAX_LETTERS).join("")}…` : text;
}

/** Returns a URL in full. Truncates a text with spaces, which is not a URL. */
export const urlText = (url: string): string => (/\s/.test(url) ? shortened(url) : url);

const mapText = (part: Part, change: (text: string) => string): Part =>
  typeof part === "string" ? change(part) : { ...part, text: change(part.text) };

/** Returns the width of a cell in terminal columns: an ideograph takes two, a combining mark none. */
const cellWidth = (cell: Part = ""): number => stringWidth(typeof cell === "string" ? cell : cell.text);

/** Styles a text for terminals. Without colors, or with NO_COLOR, it is plain. */
export const paint = (style: Style, text: string): Styled => ({ style, text });

/** Asks for a keystore's passphrase without displaying it. @throws {UsageError} without a terminal. */
export async function askPassphrase(file: string, { interactive }: Terminal): Promise<string> {
  if (!interactive) {
    throw new UsageError(`The keystore ${file} requires a passphrase.`, "Set KEYSTORE_PASSPHRASE.");
  }
  const { password, isCancel } = await import("@clack/prompts");
  const answer = await password({ message: `Passphrase of ${file}`, output: process.stderr });
  if (isCancel(answer)) throw new UsageError("No passphrase entered.");
  return answer;
}

/** Asks the user to confirm a transaction. Does not ask without a terminal. */
export async function confirmSending(
  { interactive, json }: Terminal,
  lines: readonly Line[],
  message = "Send this transaction?",
): Promise<void> {
  if (!interactive || json) return;
  const { confirm, isCancel, note } = await import("@clack/prompts");
  const { stderr: output } = process;
  note(lines.map((line) => formatLine(line, output)).join("\n"), "Transaction", { output });
  const answer = await confirm({ message, output: process.stderr });
  if (isCancel(answer) || !answer) throw new UsageError("Nothing was sent.");
}

/** Asks the user whether to reactivate the record. Without a terminal, the answer is no. */
export async function confirmReactivation(
  { terminal: { interactive, json }, yes }: { terminal: Terminal; yes: boolean },
  status: AppStatus,
): Promise<boolean> {
  if (!interactive || json || yes) return false;
  const { confirm, isCancel } = await import("@clack/prompts");
  const message = `The record is ${appStatusLabels[status]}, so it's hidden from search by default. Set it to Active after publishing?`;
  const answer = await confirm({ message, output: process.stderr });
  if (isCancel(answer)) throw new UsageError("Nothing was sent.");
  return answer;
}

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
