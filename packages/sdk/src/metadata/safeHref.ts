import { MAX_URL_LENGTH } from "./limits.ts";

const linkSchemes = ["https:", "http:", "ipfs:", "ipns:", "ar:", "mailto:"];

/**
 * Returns a URL in its parsed form if it is safe to show as a link, else `undefined`.
 *
 * A safe URL is absolute, has the scheme https, http, ipfs, ipns, ar or mailto, has at most 2,048 characters in its
 * parsed form, and has no user name (`https://bank.example@evil.example`). `javascript:` and `data:` never pass, in any
 * spelling.
 *
 * @example
 * safeHref("javascript:alert(1)"); // undefined
 */
export function safeHref(url: string): string | undefined {
  const href = parseUrl(url, linkSchemes)?.href;
  // Check the length again, because characters beyond ASCII become percent triplets.
  return href !== undefined && href.length <= MAX_URL_LENGTH ? href : undefined;
}

/**
 * Parses an absolute URL of one of the schemes (such as `"https:"`). Returns `undefined` for any other text, and for a
 * URL with a user name or password.
 */
export function parseUrl(text: string, schemes: readonly string[]): URL | undefined {
  // The URL parser drops these characters silently, but other readers of the document may not.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (text.length > MAX_URL_LENGTH || /[\s\u0000-\u001f\u007f]/.test(text)) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !schemes.includes(url.protocol)) return undefined;
  return url.username === "" && url.password === "" ? url : undefined;
}
