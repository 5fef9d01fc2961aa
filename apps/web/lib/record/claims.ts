import { MAX_NAME_LENGTH, visibleText } from "@app-registry/sdk";

/** Scripts in current use for names (UAX #31, table 5). */
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

/** Scripts that one language combines, also with Latin (UTS #39, "highly restrictive"). */
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
 * Lower-case letters that look like Latin ones: labels of hosts have no capitals. The package unhomoglyph, which
 * compares names, is unsuitable here: it maps a Cyrillic "apple" to "appie" and a Greek "kakao" to "ĸaĸao", and adds
 * 102 kB.
 */
const lookalikes: Record<string, string> = {
  ...pairs("асԁеһіјӏорԛѕԝхуъьҽпгѵѡкмт", "acdehijlopqswxybbengvwkmt"),
  ...pairs("αικνρυωηοτγχϲϳ", "aikvpuwnotyxcj"),
  ...pairs("օոսհցզյքրւլ", "onuhgqjpnlt"),
};

function pairs(from: string, to: string): Record<string, string> {
  return Object.fromEntries([...from].map((letter, index) => [letter, to[index] ?? letter]));
}

/** Scripts of a label, and a warning if its letters can mislead. */
export type LabelScripts = {
  /** Label in Unicode. */
  label: string;
  /** Names of the scripts. "another script" stands for scripts that no living language uses. */
  scripts: string[];
  /** `mixed`: no language mixes these scripts. `lookalike`: each letter looks like a Latin one. */
  warning?: "mixed" | "lookalike";
  /** Latin letters that a look-alike label resembles. */
  looksLike?: string;
};

/** Detects the scripts of a label of a host and applies UTS #39, "highly restrictive". */
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

/** Replaces look-alike letters of a lower-case text with Latin ones. */
const latinLookalikes = (text: string): string =>
  [...text].map((character) => lookalikes[character] ?? character).join("");

/**
 * Returns the labels of a host that are not ASCII, each with its scripts.
 *
 * @param unicodeHost Host in Unicode, as returned by `domainToUnicode` of `node:url`.
 */
export const internationalLabels = (unicodeHost: string): LabelScripts[] =>
  unicodeHost
    .split(".")
    .filter((label) => /[^\p{ASCII}]/u.test(label))
    .map(detectScripts);

/** Emoji and symbols that look like a mark of approval, each with its replacement. */
const marks: [RegExp, string][] = [
  [/[\u2705\u2713\u2714\u2611\u{1F5F8}\u{1F5F9}\u{1F197}]\ufe0f?/gu, "[check mark]"],
  [/[\u{1F6E1}\u{1F530}]\ufe0f?/gu, "[shield]"],
  [/[\u{1F3C5}\u{1F396}\u{1F947}]\ufe0f?/gu, "[medal]"],
  [/[\u{1F512}\u{1F510}]\ufe0f?/gu, "[lock]"],
];

/** Replaces symbols that a reader could take for a mark of this registry with words. */
export function replaceApprovalMarks(text: string): string {
  return marks.reduce((result, [mark, word]) => result.replace(mark, word), text);
}

/**
 * Returns a claimed name on one line, without approval marks or invisible characters, and cut to the limit of metadata.
 */
export function claimedName(text: string): string {
  const name = visibleText(text);
  const characters = [...name];
  const cut =
    characters.length > MAX_NAME_LENGTH ? `${characters.slice(0, MAX_NAME_LENGTH).join("")} …` : name;
  return replaceApprovalMarks(cut);
}

const approval =
  /controlledby|verif|vérif|geprüft|certif|zertif|official|ofici|offizi|authentic|audited|attested|approved|endorsed|guaranteed|trusted|proven|проверен|официал|認証|认证|認定|官方|公式/;

/** Returns true if a claim uses the words or marks of a registry: "verified", "official", a check mark. */
export function soundsOfficial(text: string): boolean {
  const plain = latinLookalikes(
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{S}\p{So}]/gu, ""),
  );
  return (
    marks.some(([mark]) => text.search(mark) !== -1) ||
    approval.test(plain) ||
    approval.test(text.toLowerCase())
  );
}

/** Note on a name that several services use. All of them get it, because an older record proves nothing. */
export const SHARED_NAME = "Another service uses this name or a similar-looking one.";
