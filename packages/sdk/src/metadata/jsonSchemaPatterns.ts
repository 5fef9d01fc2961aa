// Rules that a schema checks in code, as regular expressions of JSON Schema, which have no flags.

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const SEGMENT = "(?!\\.{1,2}(?::|$))(?:[A-Za-z0-9._-]|%[2-9A-F][0-9A-F])+";

/** Pattern of a canonical DID. */
export const DID_PATTERN =
  `^did:(?:web:${LABEL}(?:\\.${LABEL})*(?:%3A[1-9][0-9]{0,4})?(?::(?!\\.well-known(?::|$))${SEGMENT})*|` +
  "pkh:eip155:[1-9][0-9]*:0x[0-9a-f]{40})$";

/** Pattern of a trait before it is normalized. */
export const TRAIT_PATTERN = "^\\s*[A-Za-z0-9][A-Za-z0-9:._-]{0,63}\\s*$";

/** Adds to a pattern that a text must not be blank. */
export const notBlank = ({ source }: RegExp): string => `^(?=[\\s\\S]*\\S)${source.slice(1)}`;

/** Pattern of a word in lower case, in any case. */
export const anyCase = (word: string, between = ""): string =>
  Array.from(word, (letter) => `[${letter}${letter.toUpperCase()}]`).join(between);

/** Pattern of a URI that has none of these schemes, which a browser reads through white space. */
export const withoutSchemes = (schemes: readonly string[]): string => {
  const space = "[\\u0000-\\u0020]*";
  return `^(?!${space}(?:${schemes.map((scheme) => anyCase(scheme, space)).join("|")})${space}:)`;
};

/** Schemes whose URLs have a host. */
const schemesWithHost = new Set(["https:", "http:", "wss:", "ws:"]);
const HOST = "(?:\\[[0-9A-Fa-f:.]+\\]|[^\\s\\\\/?#@:<>^|\\[\\]]+)(?::[0-9]{0,5})?(?![^\\\\/?#])";

/** Pattern of an absolute URL of one of the schemes (such as `"https:"`) without a user name or white space. */
export function urlPattern(schemes: readonly string[]): string {
  const hasHost = (scheme: string) => schemesWithHost.has(scheme);
  const anyScheme = (some: readonly string[]) => some.map((scheme) => anyCase(scheme.slice(0, -1))).join("|");
  const others = schemes.filter((scheme) => !hasHost(scheme));
  const starts = [
    `(?:${anyScheme(schemes.filter(hasHost))}):[\\\\/]*${HOST}`,
    ...(others.length > 0 ? [`(?:${anyScheme(others)}):(?!//[^/?#]*@)`] : []),
  ];
  return `^(?:${starts.join("|")})[^\\s\\u0000-\\u001f\\u007f]*$`;
}
