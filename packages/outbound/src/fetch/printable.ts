import { isVisible } from "@app-registry/sdk";

/**
 * Makes an untrusted text safe to display: truncates it to `max` characters and escapes control characters and
 * invisible characters.
 */
export function printable(text: string, max = 100): string {
  const escaped = Array.from(text.slice(0, max), (character) =>
    isVisible(character) && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(character)
      ? character
      : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  ).join("");
  return text.length > max || escaped.length > max ? `${escaped.slice(0, max)}…` : escaped;
}
