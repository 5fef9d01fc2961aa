import { isVisible } from "@app-registry/sdk";

/**
 * A stranger's text in a form that is safe in an answer: at most `max` characters, with control characters and characters
 * that can't be seen as escapes.
 */
export function printable(text: string, max = 100): string {
  const escaped = Array.from(text.slice(0, max), (character) =>
    isVisible(character) && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(character)
      ? character
      : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  ).join("");
  return text.length > max || escaped.length > max ? `${escaped.slice(0, max)}…` : escaped;
}
