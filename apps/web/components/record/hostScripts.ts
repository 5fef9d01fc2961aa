/** Scripts in which names are written today (UAX #31, table 5), as Unicode spells them. */
const scripts = [
  "Arabic",
  "Armenian",
  "Bengali",
  "Bopomofo",
  "Cyrillic",
  "Devanagari",
  "Ethiopic",
  "Georgian",
  "Greek",
  "Gujarati",
  "Gurmukhi",
  "Han",
  "Hangul",
  "Hebrew",
  "Hiragana",
  "Kannada",
  "Katakana",
  "Khmer",
  "Lao",
  "Latin",
  "Malayalam",
  "Myanmar",
  "Oriya",
  "Sinhala",
  "Tamil",
  "Telugu",
  "Thaana",
  "Thai",
  "Tibetan",
] as const;

/** Scripts that one language writes together, with Latin beside them (UTS #39, "highly restrictive"). */
const combinableScripts = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
];

const createScriptPattern = (names: readonly string[]) =>
  new RegExp(`^[${["Common", "Inherited", ...names].map((name) => `\\p{scx=${name}}`).join("")}]*$`, "u");

const single = scripts.map((name) => createScriptPattern([name]));
const allowed = combinableScripts.map(createScriptPattern);
const letters = scripts.map((name) => ({ name, one: new RegExp(`\\p{Script=${name}}`, "u") }));

/**
 * Small letters that are drawn like Latin ones, with the Latin ones: labels of domain names have no capitals. The
 * package unhomoglyph, by which names are compared, has prototypes that nobody would read: it makes "appie" of a
 * Cyrillic "apple" and "ĸaĸao" of a Greek "kakao", and loads 102 kB.
 */
const lookalikes: Record<string, string> = {
  ...pairs("асԁеһіјӏорԛѕԝхуъьҽпгѵѡкмт", "acdehijlopqswxybbengvwkmt"),
  ...pairs("αικνρυωηοτγχϲϳ", "aikvpuwnotyxcj"),
  ...pairs("օոսհցզյքրւլ", "onuhgqjpnlt"),
};

function pairs(from: string, to: string): Record<string, string> {
  return Object.fromEntries([...from].map((letter, index) => [letter, to[index] ?? letter]));
}

/** What a reader of a label should know about its letters. */
export type LabelScripts = {
  /** The label in Unicode. */
  label: string;
  /** The scripts of its letters, by name; "another script" for those in which no living language is written. */
  scripts: string[];
  /** `mixed`: of scripts that no language mixes. `lookalike`: each letter looks like a Latin one. */
  warning?: "mixed" | "lookalike";
  /** What a look-alike looks like, in Latin letters. */
  looksLike?: string;
};

/** The scripts of one label of a host name, judged by UTS #39, "highly restrictive". */
export function detectScripts(label: string): LabelScripts {
  const present: string[] = letters.filter(({ one }) => one.test(label)).map(({ name }) => name);
  const isRestricted = [...single, ...allowed].some((pattern) => pattern.test(label));
  const isKnown = createScriptPattern(scripts).test(label);
  const named = { label, scripts: isKnown ? present : [...present, "another script"] };
  if (!isRestricted) return { ...named, warning: "mixed" };
  const characters = [...label];
  const isLookalike = characters.every((character) => character in lookalikes || /[\d-]/.test(character));
  if (!isLookalike || !present.some((name) => name !== "Latin")) return named;
  return { ...named, warning: "lookalike", looksLike: latinLookalikes(label) };
}

/** A text in small letters with Latin ones in place of those that are drawn like them. */
export const latinLookalikes = (text: string): string =>
  [...text].map((character) => lookalikes[character] ?? character).join("");

/**
 * The labels of a host that aren't ASCII, each with its scripts.
 *
 * @param unicodeHost The host in Unicode, as `domainToUnicode` of `node:url` writes it.
 */
export const internationalLabels = (unicodeHost: string): LabelScripts[] =>
  unicodeHost
    .split(".")
    .filter((label) => /[^\p{ASCII}]/u.test(label))
    .map(detectScripts);
