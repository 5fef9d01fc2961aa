/**
 * Converts a string to one that PostgreSQL can store: without NUL, and with lone surrogates replaced by U+FFFD.
 * Truncates it to `max` UTF-16 code units, never inside a surrogate pair.
 */
export function toPostgresText(text: string, max = Number.POSITIVE_INFINITY): string {
  const clean = text.replaceAll("\0", "");
  const cut = clean.length > max ? `${clean.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/u, "")}…` : clean;
  return cut.toWellFormed();
}
