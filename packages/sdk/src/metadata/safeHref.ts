import { MAX_URL_LENGTH } from "./limits.ts";

const linkSchemes = ["https:", "http:", "ipfs:", "ipns:", "ar:", "mailto:"];

/**
 * The URL in its parsed form if it is safe to show as a link, else undefined.
 *
 * A safe URL is absolute, has the scheme https, http, ipfs, ipns, ar or mailto, has at most 2,048 characters in its
 * parsed form, and names no user (`https://bank.example@evil.example`). `javascript:` and `data:` never pass, however
 * they are spelled.
 *
 * @example
 * safeHref("javascript:alert(1)"); // undefined
 */
export function safeHref(url: string): string | undefined {
  const href = parseUrl(url, linkSchemes)?.href;
  // Letters beyond ASCII are longer as percent triplets.
  return href !== undefined && href.length <= MAX_URL_LENGTH ? href : undefined;
}

/** Parses an absolute URL of one of the schemes (`"https:"`), without user name; undefined for anything else. */
export function parseUrl(text: string, schemes: readonly string[]): URL | undefined {
  // URL drops these silently, while other readers of the document may not.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (text.length > MAX_URL_LENGTH || /[\s\u0000-\u001f\u007f]/.test(text)) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !schemes.includes(url.protocol)) return undefined;
  return url.username === "" && url.password === "" ? url : undefined;
}
