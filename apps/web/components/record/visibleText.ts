/**
 * Characters that change how text around them is read without being seen: controls, bidirectional marks,
 * embeddings, overrides and isolates (Unicode UAX #9), and zero-width characters. Joiners (U+200C, U+200D) stay:
 * scripts and emoji need them.
 */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * Makes a stranger's text safe to show: every invisible control becomes the visible replacement character, and
 * line breaks and tabs become spaces.
 */
export function visibleText(text: string): string {
  return text
    .replace(/[\t\n\r]+/g, " ")
    .replace(invisible, "\uFFFD")
    .trim();
}

/** Like {@link visibleText} for prose of several lines: line breaks stay. */
export function visibleLines(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/\t/g, " ").replace(invisible, "\uFFFD").trim();
}
