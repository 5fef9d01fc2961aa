import { safeHref } from "@app-registry/sdk";
import { keccak256, stringToHex } from "viem";

/** One way to use an endpoint or a record, with text to paste and links that open a client. */
export type InstallVariant = {
  /** Label of the tab. */
  label: string;
  /** Note that the reader needs before choosing. */
  note?: string;
  links?: { text: string; href: string }[];
  blocks: { caption: string; text: string }[];
  /** Nested tabs. */
  variants?: InstallVariant[];
};

/** Characters without a special meaning inside a word in any POSIX shell, zsh or PowerShell. */
const PLAIN_WORD = /^[A-Za-z0-9_./:%@+,][A-Za-z0-9_./:%@+,-]*$/;

/** Quotes a word for POSIX shells: unchanged if safe, else in single quotes, which prevent any expansion. */
export function quoteShellWord(text: string): string {
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Joins a shell command over several lines, with one option per line. */
export const shellCommand = (...parts: string[]): string => parts.join(" \\\n  ");

/** Start of a URL up to its path. Brackets in it belong to an IPv6 address. */
const AUTHORITY = /^[a-z]+:\/\/[^/?#]*/;

/**
 * Returns a web URL that is safe to paste into commands and configuration files, or `undefined` for other URLs. The
 * result is ASCII without spaces or line breaks. Braces and brackets are percent-encoded, because programs expand them:
 * curl expands `{a,b}` and `[1-9]`, and clients expand `${env:SECRET}`, which would send the reader's secrets to the
 * URL's host.
 */
export function toPasteableUrl(url: unknown): string | undefined {
  const href = typeof url === "string" ? safeHref(url) : undefined;
  const start = href === undefined ? undefined : /^https?:/.test(href) && AUTHORITY.exec(href)?.[0];
  if (href === undefined || !start) return undefined;
  const rest = href.slice(start.length).replace(/[{}[\]`"'\\|^]/g, percentTriplet);
  return `${start}${rest}`;
}

const percentTriplet = (char: string): string =>
  `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

/** Serializes JSON for pasting. Escapes characters that are invisible or change the reading order. */
export function toPasteableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[^\u0020-\u007e\n]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Returns the key of a service in a client's configuration, from the proven host or contract and a hash of the DID:
 * `mcp-example-com-1f2e3d`. A key from the claimed name, or without the hash, could replace the reader's entry for
 * another service.
 */
export function toConfigKey(provenName: string, did: string): string {
  const words = provenName.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const key = words.join("-").slice(0, 40).replace(/-$/, "");
  return `${key}-${keccak256(stringToHex(did)).slice(2, 8)}`;
}
