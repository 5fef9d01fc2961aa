/** A rule of a robots.txt (RFC 9309): the pieces of its pattern between wildcards. */
type Rule = {
  isAllowed: boolean;
  pieces: string[];
  /** Ends with `$`: the path ends there as well. */
  isWhole: boolean;
  /** Octets of its pattern: the longest rule that matches decides. */
  length: number;
};

/** Rules that count for one crawler. */
export type RobotsRules = {
  /** @param url An absolute URL of the host. */
  isAllowed(url: string): boolean;
  /** Characters of all patterns. */
  size: number;
};

/**
 * Reads the rules for a product token: those of all its groups, else those of the groups for `*`. Each pattern is compared
 * with a URL in one pass over both, whatever its wildcards.
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
  /** Whether the lines before were the agents of the group, and for whom the group is. */
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
 * Writes octets in one way: percent-encoded unless they are unreserved (RFC 9309, section 2.2.2). `*` and `$` count as
 * such in patterns only, so that they are encoded as well.
 */
function normalized(text: string): string {
  return text.toWellFormed().replace(/%[0-9a-f]{2}|[^\x21-\x7e]|[*$]/giu, (part) => {
    if (part === "*") return "%2A";
    if (!part.startsWith("%")) return encodeURIComponent(part);
    const octet = String.fromCharCode(Number.parseInt(part.slice(1), 16));
    return /[\w.~-]/.test(octet) ? octet : part.toUpperCase();
  });
}

/** The first piece begins the path, each further one is taken where it occurs first, and `$` takes the last one at the end. */
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

/** Returns the end of a text's first occurrence, or -1: by Knuth, Morris and Pratt, since `indexOf` may be quadratic. */
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
