import unhomoglyph from "unhomoglyph";

/** Keys by which names are compared. Null if a name has no characters to compare. */
export type NameKeys = {
  /** Name without case, accents, spaces, punctuation and invisible characters. */
  nameFolded: string | null;
  /** Skeleton of the name (UTS #39), in which confusable characters of all scripts are equal. */
  nameSkeleton: string | null;
};

/** Longest part of a name to compare, in UTF-16 code units. */
const MAX_NAME = 1_000;

/** Longest key, in UTF-16 code units. A B-tree key has at most 2,704 bytes. */
const MAX_KEY = 200;

/** Spaces, hyphens and punctuation, except for signs that distinguish `C#` from `C`. */
const SEPARATORS = /[\s\p{Pd}\p{Pc}]|(?![#@&%*/\\])\p{P}/gu;

/** Symbols such as seals and ticks. Names of only symbols keep them. */
const DECORATION = /\p{So}/gu;

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Accents of Latin, Greek and Cyrillic letters. In other scripts, combining marks distinguish letters. */
const ACCENTS = /[\u0300-\u036f]/g;

/**
 * Returns keys that are equal for names that are equal or look alike. Ticks, dots and invisible characters make no
 * difference. Characters that some typefaces draw alike in either case (I, i, l and 1) are equal in a skeleton.
 */
export function getNameKeys(name: string | null): NameKeys {
  const plain = (name ?? "").slice(0, MAX_NAME).normalize("NFKC").replace(INVISIBLE, "");
  const bare = plain.replace(SEPARATORS, "").replace(DECORATION, "") || plain.replace(SEPARATORS, "");
  const text = bare || plain.trim();
  return { nameFolded: toKey(withoutAccents(text).toLowerCase()), nameSkeleton: toKey(skeleton(text)) };
}

function skeleton(text: string): string {
  const seen = unhomoglyph(withoutAccents(text)).toLowerCase();
  return withoutAccents(unhomoglyph(seen)).toLowerCase().replaceAll("i", "l");
}

const withoutAccents = (text: string): string => text.normalize("NFD").replace(ACCENTS, "");

const toKey = (text: string): string | null => text.slice(0, MAX_KEY).toWellFormed() || null;
