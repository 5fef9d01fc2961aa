/**
 * A string as PostgreSQL can store it: without NUL, and with lone surrogates replaced by U+FFFD.
 * `max` counts UTF-16 code units; a longer text is cut before it, never inside a surrogate pair.
 */
export function toPostgresText(text: string, max = Number.POSITIVE_INFINITY): string {
  const clean = text.replaceAll("\0", "");
  const cut = clean.length > max ? `${clean.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/u, "")}…` : clean;
  return cut.toWellFormed();
}
