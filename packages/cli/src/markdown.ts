import { printable } from "@app-registry/outbound/internal";

const longestRun = (text: string) => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** Formats an untrusted text as a code span (CommonMark 6.1), so that it is neither markup nor mentions anybody. */
export function codeSpan(text: string, max?: number): string {
  const shown = printable(text, max);
  const ticks = "`".repeat(longestRun(shown) + 1);
  return `${ticks} ${shown} ${ticks}`;
}

/** Formats printable lines of a diff as a fenced code block (CommonMark 4.5). */
export function diffBlock(text: string): string {
  const ticks = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${ticks}diff\n${text}\n${ticks}`;
}
