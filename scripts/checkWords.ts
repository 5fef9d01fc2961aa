import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** Words, as regular expressions, that comments, messages and documents avoid. A space also matches a line break. */
const DROP_LIST = [
  "mend(s|ed|ing)?|told of|puts? down|dearer|is none|hand(s|ed)? on|comes? to|by now|at hand|of late",
  String.raw`anew|hasten\w*|lookup until|takes? in|its alone|the very|asked of|stands? for itself|says? so`,
  "as it stands|is known of",
].join("|");

/** Names that may end with `Of`: external functions of the registry. */
const NAMES_WITH_OF = new Set(["balanceOf", "ownerOf", "tokenIdOf"]);

/** Files that quote the words, or that are generated from files that this script checks. */
const EXCLUDED = /(^|\/)CHANGELOG\.md$|^docs\/(errors|gallery)\.md$|(^|\/)checkWords(\.test)?\.ts$/;

type Rule = { problem: string; files: RegExp; pattern: RegExp; isAllowed?: (name: string) => boolean };

const CODE = /\.(ts|tsx|sol)$/;
const COMMENT_START = String.raw`/\*\*[\s*]*|(?<!///.*\n\s*)/// *|^\s*(?:\*|///) *(?=@)`;
const TAG = String.raw`(?:@(?:dev|notice|returns?(?: \w+)??) )?`;
const LINE_BREAK = String.raw`\s+(?:(?:\*|//+)\s+)?`;

const RULES: Rule[] = [
  {
    problem: "A doc comment must begin with a verb or a noun",
    files: CODE,
    // Questions pass.
    pattern: new RegExp(
      String.raw`(?:${COMMENT_START})${TAG}(What|Whether|How|Why|Who|That|Of|To be)\b(?![^.*]*\?)`,
      "gm",
    ),
  },
  {
    problem: "This word is on the drop list",
    files: /\.(ts|tsx|sol|md)$/,
    pattern: new RegExp(String.raw`\b(${DROP_LIST.replaceAll(" ", LINE_BREAK)})\b`, "gi"),
  },
  {
    problem: "Use American spelling",
    files: /\.(ts|tsx|md)$/,
    pattern:
      /\b((?:canonical|initial|normal|optim|organ|reorgan)is(?:e|ing|ation)\w*|(?:behavi|col|fav|neighb)our\w*)/gi,
  },
  {
    problem: "Write can't in messages",
    files: /^(?!.*(?:\.test\.tsx?$|\/e2e\/)).*\.tsx?$/,
    pattern: /^(?!\s*(?:\*|\/)).*["`'].*\b(cannot)\b/gm,
  },
  {
    problem: "A name must not end with Of",
    files: CODE,
    pattern: /\b(?:function|const) (?:_|testFuzz_)?(\w+Of)\b/g,
    isAllowed: (name) => NAMES_WITH_OF.has(name),
  },
];

let count = 0;
for (const file of execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0")) {
  const rules = EXCLUDED.test(file) || !existsSync(file) ? [] : RULES.filter((rule) => rule.files.test(file));
  const text = rules.length > 0 ? readFileSync(file, "utf8") : "";
  for (const { problem, pattern, isAllowed } of rules) {
    for (const { index, 0: match, 1: words = "" } of text.matchAll(pattern)) {
      if (isAllowed?.(words)) continue;
      count += 1;
      const line = text.slice(0, index + match.length).split("\n").length;
      console.log(`${file}:${line}: ${problem}: ${words.replace(new RegExp(LINE_BREAK, "g"), " ")}`);
    }
  }
}
process.exit(count > 0 ? 1 : 0);
