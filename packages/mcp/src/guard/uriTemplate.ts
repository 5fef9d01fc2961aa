/** Maximum length of a URI and of a template in characters, and maximum number of parts of one and of all templates. */
const MAX_LENGTH = 8_192;
const MAX_PARTS = 128;
const MAX_ALL_PARTS = 2_048;

/**
 * Operator of RFC 6570: the prefix of the first value, that of the others, and the characters that no value contains.
 */
type Operator = { first: string; next: string; excluded: string; isNamed?: true };

const operators: Record<string, Operator> = {
  "": { first: "", next: ",", excluded: "/?#" },
  "+": { first: "", next: ",", excluded: "" },
  "#": { first: "#", next: ",", excluded: "" },
  ".": { first: ".", next: ".", excluded: "/?#" },
  "/": { first: "/", next: "/", excluded: "/?#" },
  ";": { first: ";", next: ";", excluded: "/?#;", isNamed: true },
  "?": { first: "?", next: "&", excluded: "#&", isNamed: true },
  "&": { first: "&", next: "&", excluded: "#&", isNamed: true },
};

/** Flags for the positions of a URI up to which a template matches. */
type Ends = Uint8Array;

/**
 * Returns true if a URI template (RFC 6570) can expand to a URI, with or without percent-encoding of the values. Does
 * not use regular expressions, because publishers write the templates: the time is at most the number of parts times
 * the length of the URI. An expression without an operator, or with `+`, matches at least one character.
 */
export function matchesTemplate(templates: readonly string[], uri: string): boolean {
  let left = MAX_ALL_PARTS;
  return templates.some((template) => {
    if (uri.length > MAX_LENGTH || template.length > MAX_LENGTH) return false;
    if (!uri.startsWith(template.split("{", 1)[0] as string)) return false;
    const parts = template.split(/[{,}]/).length;
    left -= parts;
    return parts <= MAX_PARTS && left >= 0 && matches(template, uri);
  });
}

function matches(template: string, uri: string): boolean {
  const parts = template.split(/(\{[^{}]*\})/);
  let ends: Ends = new Uint8Array(uri.length + 1);
  ends[0] = 1;
  for (const [index, part] of parts.entries())
    ends = index % 2 === 0 ? text(uri, ends, part) : expression(uri, ends, part.slice(1, -1));
  return ends[uri.length] === 1;
}

/** Matches a literal text. */
function text(uri: string, ends: Ends, expected: string): Ends {
  if (expected === "") return ends;
  const next = new Uint8Array(ends.length);
  for (let at = 0; at + expected.length <= uri.length; at++)
    if (ends[at] === 1 && uri.startsWith(expected, at)) next[at + expected.length] = 1;
  return next;
}

/** Matches one or more characters. */
function characters(uri: string, ends: Ends, excluded: string): Ends {
  const next = new Uint8Array(ends.length);
  for (let at = 0; at < uri.length; at++)
    if ((ends[at] === 1 || next[at] === 1) && !excluded.includes(uri.charAt(at))) next[at + 1] = 1;
  return next;
}

/** Matches the variables of an expression, each of which may be undefined. */
function expression(uri: string, ends: Ends, content: string): Ends {
  const sign = /^[+#./;?&]/.exec(content)?.[0] ?? "";
  const { first, next, excluded, isNamed } = operators[sign] as Operator;
  let begun: Ends = new Uint8Array(ends.length);
  for (const variable of content.slice(sign.length).split(",")) {
    const isExploded = variable.endsWith("*");
    const name = isNamed && !isExploded ? variable.replace(/:\d+$/, "") : "";
    const from = either(text(uri, ends, first), text(uri, begun, next));
    const named = text(uri, from, name);
    const start = name === "" ? named : text(uri, named, "=");
    // Allow the separator in an exploded variable, because it precedes each value.
    const value = characters(uri, start, isExploded ? excluded.replace(next, "") : excluded);
    begun = either(begun, either(value, name === "" ? begun : either(named, start)));
  }
  return first === "" ? begun : either(begun, ends);
}

function either(one: Ends, other: Ends): Ends {
  return one.map((mark, at) => mark | (other[at] as number));
}

/** Maximum number of times that a server may decode a URI. */
const MAX_DECODINGS = 4;

/**
 * Returns true if a server may treat a requested URI as the resource of another one: they may differ in encoding, case,
 * slashes and dot segments, and the requested one may have a query or a fragment that the other lacks.
 */
export function mayNameResource(uri: string, requested: string): boolean {
  const [plain, asked] = [plainUri(uri), plainUri(requested)];
  return plain === asked || (!plain.includes("?") && plain === plainPath(asked.split("?", 1)[0] as string));
}

function plainUri(uri: string): string {
  let decoded = uri;
  for (let times = 0; times < MAX_DECODINGS; times += 1) {
    const next = resolve(decode(decoded));
    if (next === decoded) break;
    decoded = next;
  }
  // Cut at a fragment only after decoding: servers may decode first, and see a fragment then.
  const [path = "", ...query] = (decoded.split("#", 1)[0] as string)
    .normalize("NFKC")
    .toLowerCase()
    .split("?");
  return [plainPath(path), ...query].join("?");
}

const plainPath = (path: string): string =>
  path.replaceAll("\\", "/").replace(/\/+/g, "/").replace(/\/$/, "");

const resolve = (uri: string): string => (URL.canParse(uri) ? decode(new URL(uri).href) : uri);

/** Decodes what is percent-encoded UTF-8, and leaves the rest. */
const decode = (uri: string): string =>
  uri.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
