import { styleText } from "node:util";
import { type ExitCode as Code, ExitCode } from "@app-registry/mcp";
import { type FieldWarning, visibleText } from "@app-registry/sdk";
import stringWidth from "fast-string-width";

type Style = "green" | "red" | "yellow" | "dim" | "bold";

/** A text with the style that a person sees it in. */
export type Styled = { style: Style; text: string };

type Part = string | Styled;

/** One line for people, or the parts that stand side by side in it. */
export type Line = Part | readonly Part[];

/** The result of a command. */
export type Outcome = {
  /** For programs: the members of the one JSON object on standard output. */
  json: Record<string, unknown>;
  /** For people: lines on standard output. */
  lines: readonly Line[];
  /** For people, before the lines: a document, which a program may read from standard output. */
  document?: string;
  /** Default 0. */
  exitCode?: Code;
};

/** Where the program writes. */
export type Screen = {
  /** `--json`: writes nothing but one JSON object to standard output. */
  json: boolean;
  /** Writes to standard error what is happening. */
  note(line: Line): void;
  /** Whether a person can answer. */
  interactive: boolean;
};

/** Where a command writes. */
export type Terminal = Screen & {
  /** Names fields that are probably misspelt: on standard error, or with `--json` as `warnings` of the object. */
  warn(warnings: readonly FieldWarning[]): void;
};

/** JSON has no bigint: token ids, gas and wei are decimal strings. */
const replaceBigInt = (_: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);

/**
 * The text that a finished command writes to standard output. Each line is one line on the screen, whatever a stranger's
 * text in it contains.
 */
export function formatOutcome(outcome: Outcome, asJson: boolean, stream: Output = process.stdout): string {
  const { json, lines, document, exitCode = ExitCode.ok } = outcome;
  if (asJson)
    return `${escaped(JSON.stringify({ ok: exitCode === ExitCode.ok, ...json }, replaceBigInt, 2))}\n`;
  // A program gets a document's very bytes, which hash to the record.
  const first = document === undefined ? [] : [stream.isTTY ? escaped(document) : document];
  const written = [...first, ...lines.map((line) => formatLine(line, stream))];
  return written.length === 0 ? "" : `${written.join("\n")}\n`;
}

type Output = { isTTY?: boolean; hasColors?(): boolean };

/** A line as a terminal can show it: without control characters of strangers, styled if a person reads it. */
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

// Which stream is written to, and whether it has colors, is known better here.
const styled = (style: Style, text: string): string => styleText(style, text, { validateStream: false });

/** Keeps the spaces at both ends, which align what is beside the text. */
const inOneLine = (text: string): string => visibleText(`|${text}|`).slice(1, -1);

/** JSON with what {@link JSON.stringify} leaves as it is and a terminal obeys or hides. It means the same. */
const escaped = (json: string): string =>
  json.replace(/[\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu, (character) =>
    Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** Rows of two columns, the second one aligned. Rows without a value are left out. */
export function table(rows: readonly (readonly [string, string | number | bigint | undefined])[]): Line[] {
  const shown = rows.filter(([, value]) => value !== undefined && value !== "");
  return columns(shown.map(([name, value]) => [name, String(value)]));
}

/** Unix seconds with their names, one on each line. */
export const times = (rows: Record<string, number>): Line[] =>
  table(Object.entries(rows).map(([name, at]) => [name, time(at)]));

/** Rows of several columns, each as wide as its widest cell. Spaces in a cell can't imitate a column. */
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

/** Letters of a text in a table: a longer one would go on in the next line, where it could pass for another row. */
const MAX_LETTERS = 60;

/** Cuts a stranger's text so that it can't pass for another row of its table. */
export function shortened(text: string): string {
  const letters = [...text];
  return letters.length > MAX_LETTERS ? `${letters.slice(0, MAX_LETTERS).join("")}…` : text;
}

/** A URL in full; a text with spaces, which is none, cut. */
export const urlText = (url: string): string => (/\s/.test(url) ? shortened(url) : url);

const mapText = (part: Part, change: (text: string) => string): Part =>
  typeof part === "string" ? change(part) : { ...part, text: change(part.text) };

/** The columns of a terminal that a cell takes: an ideograph takes two, a combining mark none. */
const cellWidth = (cell: Part = ""): number => stringWidth(typeof cell === "string" ? cell : cell.text);

/** Styles a text where a person reads it; a terminal without colors, or NO_COLOR, shows it plain. */
export const paint = (style: Style, text: string): Styled => ({ style, text });

/** Unix seconds as a time for people. */
export const time = (seconds: number): string =>
  new Date(seconds * 1_000).toISOString().replace(".000Z", "Z");
