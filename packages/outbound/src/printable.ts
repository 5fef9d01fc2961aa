/**
 * A stranger's text in a form that is safe in an answer: at most `max` characters, with control characters and marks that
 * change the reading direction as escapes.
 */
export function printable(text: string, max = 100): string {
  const escaped = text
    .slice(0, max)
    .replace(
      /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
      (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
    );
  return text.length > max ? `${escaped}…` : escaped;
}
