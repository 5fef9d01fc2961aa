import { styleText } from "node:util";
import type { FieldWarning } from "@app-registry/sdk";
import { type ExitCode as Code, ExitCode } from "./exitCodes.ts";

/** The result of a command. */
export type Outcome = {
  /** For programs: the members of the one JSON object on standard output. */
  json: Record<string, unknown>;
  /** For people: lines on standard output. */
  lines: readonly string[];
  /** Default 0. */
  exitCode?: Code;
};

/** Where the program writes. */
export type Screen = {
  /** `--json`: writes nothing but one JSON object to standard output. */
  json: boolean;
  /** Writes to standard error what is happening. */
  note(line: string): void;
  /** Whether a person can answer. */
  interactive: boolean;
};

/** Where a command writes. */
export type Terminal = Screen & {
  /** Names fields that are probably misspelt: on standard error, or with `--json` as `warnings` of the object. */
  warn(warnings: readonly FieldWarning[]): void;
};

/** JSON has no bigint: token ids, gas and wei are decimal strings. */
const plain = (_: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);

/** The text that a finished command writes to standard output. */
export function formatOutcome({ json, lines, exitCode = ExitCode.ok }: Outcome, asJson: boolean): string {
  if (asJson) return `${JSON.stringify({ ok: exitCode === ExitCode.ok, ...json }, plain, 2)}\n`;
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

/** Rows of two columns, the second one aligned. Rows without a value are left out. */
export function table(rows: readonly (readonly [string, string | number | bigint | undefined])[]): string[] {
  const shown = rows.filter(([, value]) => value !== undefined && value !== "");
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

/** Unix seconds with their names, one on each line. */
export const times = (rows: Record<string, number>): string[] =>
  table(Object.entries(rows).map(([name, at]) => [name, time(at)]));

/** Rows of several columns, each as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

type Style = "green" | "red" | "yellow" | "dim" | "bold";

/** Styles a text when a person reads it; `hasColors` knows NO_COLOR and plain terminals. */
export function paint(style: Style, text: string): string {
  const { stdout } = process;
  return stdout.isTTY && stdout.hasColors() ? styleText(style, text) : text;
}

/** Unix seconds as a time for people. */
export const time = (seconds: number): string =>
  new Date(seconds * 1_000).toISOString().replace(".000Z", "Z");
