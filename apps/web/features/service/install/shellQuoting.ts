import { safeHref } from "@app-registry/sdk";

/** One way to use an endpoint or a record: what to paste, and links that open a client. */
export type InstallVariant = {
  /** On its tab. */
  label: string;
  /** What the reader should know before the choice. */
  note?: string;
  links?: { text: string; href: string }[];
  blocks: { caption: string; text: string }[];
  /** Tabs inside this one. */
  variants?: InstallVariant[];
};

/** Characters that no POSIX shell, zsh or PowerShell gives a meaning inside a word. */
const PLAIN_WORD = /^[A-Za-z0-9_./:%@+,][A-Za-z0-9_./:%@+,-]*$/;

/** One word of a POSIX shell: plain where that is the same, else in single quotes, inside which nothing is expanded. */
export function quoteShellWord(text: string): string {
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A shell command over several lines, one option on each. */
export const shellCommand = (...parts: string[]): string => parts.join(" \\\n  ");

/** Where a URL's path begins; brackets before it belong to an IPv6 address. */
const AUTHORITY = /^[a-z]+:\/\/[^/?#]*/;

/**
 * A web URL as it is pasted into commands and configuration files; undefined for any other. It is ASCII without
 * spaces or line breaks. Braces and brackets are percent triplets, because programs expand them: curl
 * `{a,b}` and `[1-9]`, clients `${env:SECRET}`, which would send the reader's own secrets to the URL's host.
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

/** JSON to paste. Characters that a reader can't see, or that change the order of reading, are escaped. */
export function toPasteableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[^\u0020-\u007e\n]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * The key under which a client's configuration lists the service: the proven host or contract, `mcp-example-com`. A
 * key from the claimed name could replace the reader's entry for another service.
 */
export function toConfigKey(provenName: string): string {
  const key = provenName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return key.slice(0, 60).replace(/-+$/, "");
}
