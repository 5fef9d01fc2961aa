import unhomoglyph from "unhomoglyph";

/** What two names are compared by; a name that has nothing to compare has none. */
export type NameKeys = {
  /** The name without case, accents, spaces, punctuation and invisible characters. */
  nameFolded: string | null;
  /** As a reader sees it (UTS #39): the confusable characters of all scripts are one. */
  nameSkeleton: string | null;
};

/** UTF-16 code units of a name that are looked at. */
const MAX_NAME = 1_000;

/** A B-tree key has at most 2,704 bytes. */
const MAX_KEY = 200;

/** Spaces, hyphens and punctuation, but for the marks that tell `C#` from `C`. */
const SEPARATORS = /[\s\p{Pd}\p{Pc}]|(?![#@&%*/\\])\p{P}/gu;

/** Seals and ticks; a name of nothing else keeps them. */
const DECORATION = /\p{So}/gu;

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Marks over Latin, Greek and Cyrillic letters; those of other scripts are letters of their own. */
const ACCENTS = /[\u0300-\u036f]/g;

/**
 * The keys by which a name is found to be another's. A tick, a dot or an invisible character makes no new name. Letters
 * that some typefaces draw alike in one case or the other (I, i, l and 1) are one letter of a skeleton.
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
