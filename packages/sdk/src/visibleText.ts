/**
 * Invisible characters that change how the text around them is read: controls, bidirectional marks, embeddings,
 * overrides and isolates (Unicode UAX #9), default-ignorable characters (zero-width characters, fillers, tags), and the
 * blank braille pattern. Joiners and variation selectors depend on their neighbors, see `misplaced`.
 */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u2800\ufff9-\ufffb]|(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** Joiners and variation selectors in places where they only hide: not after emoji or after letters that join. */
const misplaced =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}])[\u200c\u200d]|(?<![\p{Emoji}])[\ufe0e\ufe0f]/gu;

/** Combining marks beyond four on one letter, more than any language uses. They are drawn over the lines around it. */
const excessMarks = /(\p{M}{4})\p{M}+/gu;

/** Replaces excess combining marks. */
export const limitMarks = (text: string): string => text.replace(excessMarks, "$1\uFFFD");

/** Invisible characters, joiners and variation selectors anywhere, and combining marks beyond four. */
const escapable = new RegExp(
  String.raw`${invisible.source}|[\u200c\u200d\ufe0e\ufe0f]|(?<=\p{M}{4})\p{M}`,
  "gu",
);

/**
 * Escapes the characters of a JSON text that {@link isVisible} rejects. The value stays the same.
 *
 * @example
 * escapeInvisible('"pay\u202Emoc.elgoog"'); // '"pay\\u202emoc.elgoog"'
 */
export const escapeInvisible = (json: string): string =>
  json.replace(escapable, (character) =>
    Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );

const replaceInvisible = (text: string): string =>
  limitMarks(text.replace(invisible, "\uFFFD").replace(misplaced, "\uFFFD"));

/**
 * Returns true if every character of a text from others is visible, except tabs and line breaks.
 *
 * @example
 * isVisible("pay\u202Emoc.elgoog"); // false
 */
export const isVisible = (text: string): boolean => replaceInvisible(text) === text;

/**
 * Makes a text from others safe to show. Replaces every invisible control by the visible replacement character
 * (U+FFFD), and line breaks and tabs by spaces.
 *
 * @example
 * visibleText("pay\u202Emoc.elgoog"); // "pay\uFFFDmoc.elgoog"
 */
export function visibleText(text: string): string {
  return replaceInvisible(text.replace(/[\t\n\r]+/g, " ")).trim();
}

/**
 * Makes prose of several lines safe to show, like {@link visibleText}. Preserves line breaks, but at most one empty
 * line in a row.
 *
 * @example
 * visibleLines("First.\n\n\n\nSecond.\u200B"); // "First.\n\nSecond.\uFFFD"
 */
export function visibleLines(text: string): string {
  const lines = text.replace(/\r\n?/g, "\n").replace(/\t/g, " ");
  return replaceInvisible(lines)
    .replace(/\n(?:[^\S\n]*\n){2,}/g, "\n\n")
    .trim();
}
