/** Rule of a robots.txt (RFC 9309), with its pattern split at wildcards. */
type Rule = {
  isAllowed: boolean;
  pieces: string[];
  /** True if the pattern ends with `$`, so that it must match the end of the path. */
  isWhole: boolean;
  /** Length of the pattern in octets. The longest matching rule applies. */
  length: number;
};

/** Rules that apply to one crawler. */
export type RobotsRules = {
  /** Returns true if the crawler may request a URL. @param url Absolute URL of the host. */
  isAllowed(url: string): boolean;
  /** Total length of all patterns, in characters. */
  size: number;
};

/**
 * Reads the rules for a product token: those of all its groups, or of the `*` groups if there are none. Matching a
 * pattern takes linear time, regardless of its wildcards.
 */
export function readRobotsRules(text: string, token: string): RobotsRules {
  const rules = selectRules(text, token.toLowerCase());
  return {
    size: rules.reduce((sum, { length }) => sum + length, 0),
    isAllowed(url) {
      const { pathname, search } = new URL(url);
      const path = normalized(pathname + search);
      let longest: Rule | undefined;
      for (const rule of rules) {
        const isSurpassed =
          longest && (rule.length < longest.length || (rule.length === longest.length && longest.isAllowed));
        if (!isSurpassed && matches(rule, path)) longest = rule;
      }
      return longest?.isAllowed ?? true;
    },
  };
}

function selectRules(text: string, token: string): Rule[] {
  const [own, general]: [Rule[], Rule[]] = [[], []];
  let hasOwn = false;
  /** `isHead`: the preceding lines name user agents. `isOwn`, `isGeneral`: the group is for the token or for `*`. */
  let [isHead, isOwn, isGeneral] = [false, false, false];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const { field = "", value = "" } = /^(?<field>[^#:]*):(?<value>[^#]*)/.exec(line)?.groups ?? {};
    const name = field.trim().toLowerCase();
    if (name === "") continue;
    if (name !== "user-agent") {
      isHead = false;
      const pattern = value.trim();
      if (pattern === "" || (name !== "allow" && name !== "disallow")) continue;
      if (!isOwn && !isGeneral) continue;
      const rule = createRule(name === "allow", pattern);
      if (isOwn) own.push(rule);
      if (isGeneral) general.push(rule);
      continue;
    }
    if (!isHead) [isHead, isOwn, isGeneral] = [true, false, false];
    const agent = value.split("/", 1)[0]?.trim().toLowerCase();
    isOwn ||= agent === token;
    isGeneral ||= agent === "*";
    hasOwn ||= isOwn;
  }
  return hasOwn ? own : general;
}

function createRule(isAllowed: boolean, pattern: string): Rule {
  const isWhole = pattern.endsWith("$");
  const pieces = (isWhole ? pattern.slice(0, -1) : pattern).split(/\*+/).map(normalized);
  return { isAllowed, pieces, isWhole, length: normalized(pattern).length };
}

/**
 * Normalizes the encoding of octets: percent-encoded unless they are unreserved (RFC 9309, section 2.2.2). Also encodes
 * `*` and `$`, which are special only in patterns.
 */
function normalized(text: string): string {
  return text.toWellFormed().replace(/%[0-9a-f]{2}|[^\x21-\x7e]|[*$]/giu, (part) => {
    if (part === "*") return "%2A";
    if (!part.startsWith("%")) return encodeURIComponent(part);
    const octet = String.fromCharCode(Number.parseInt(part.slice(1), 16));
    return /[\w.~-]/.test(octet) ? octet : part.toUpperCase();
  });
}

/**
 * Returns true if a path starts with the first piece and contains the others in order. With `$`, the last one ends it.
 */
function matches({ pieces: [first = "", ...rest], isWhole }: Rule, path: string): boolean {
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = isWhole ? rest.pop() : undefined;
  if (isWhole && last === undefined) return path.length === at;
  for (const piece of rest) {
    at = endOfFirst(piece, path, at);
    if (at < 0) return false;
  }
  return last === undefined || (path.length - last.length >= at && path.endsWith(last));
}

/** Returns the end of the first occurrence, or -1. Uses Knuth-Morris-Pratt, because `indexOf` may be quadratic. */
function endOfFirst(piece: string, path: string, from: number): number {
  if (piece.length > path.length - from) return -1;
  if (piece === "") return from;
  const back = [0];
  for (let place = 1, length = 0; place < piece.length; place++) {
    while (length > 0 && piece[place] !== piece[length]) length = back[length - 1] ?? 0;
    if (piece[place] === piece[length]) length++;
    back.push(length);
  }
  for (let place = from, length = 0; place < path.length; place++) {
    while (length > 0 && path[place] !== piece[length]) length = back[length - 1] ?? 0;
    if (path[place] === piece[length]) length++;
    if (length === piece.length) return place + 1;
  }
  return -1;
}
