import { isVisible } from "@app-registry/sdk";
import { limitMarks } from "@app-registry/sdk/internal";

/**
 * Makes an untrusted text safe to display: truncates it to `max` characters, escapes control characters and invisible
 * characters, and replaces stacked marks.
 */
export function printable(text: string, max = 100): string {
  const escaped = Array.from(limitMarks(text.slice(0, max)), (character) =>
    isVisible(character) && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(character)
      ? character
      : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  ).join("");
  return text.length > max || escaped.length > max ? `${escaped.slice(0, max)}…` : escaped;
}
