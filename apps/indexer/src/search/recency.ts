/**
 * Records are dealt into slices of 2^bits consecutive token ids, and each slice is a lexeme in the indexes of words.
 * So an index can give the matches of the newest slices alone: all matches of a word, of which a page shows twenty,
 * can be a large part of the registry.
 */
const BITS = [8, 11, 14, 17, 20];

/** No word of a text holds this sign, so none is taken for a slice. */
const SIGN = "#";

/** SQL of a tsvector with the slices of its record, as the indexes hold it; of the SQL of both. */
export const withRecency = (vector: string, tokenId: string): string => {
  const slices = BITS.map((bits) => `'${SIGN}${bits}.' || div(${tokenId}, ${2 ** bits})`);
  return `(${vector} || array_to_tsvector(array[${slices.join(", ")}]))`;
};

/** Two neighbouring slices of one size. */
export type Slices = {
  /** SQL of the tsquery that finds the records in them. */
  query: string;
  /** The most records that they hold. */
  size: number;
};

/**
 * The newest slices from the token id `newest` (SQL) down, of a size of which one holds `count` records or more;
 * undefined when that is more than the largest.
 */
export function newestSlices(newest: string, count: number): Slices | undefined {
  const bits = BITS.find((size) => 2 ** size >= count);
  if (bits === undefined) return undefined;
  return {
    query: `(select ('''${SIGN}${bits}.' || slice || ''' | ''${SIGN}${bits}.' || slice - 1 || '''')::tsquery
      from (select div(${newest}, ${2 ** bits}) as slice) as newest)`,
    size: 2 ** (bits + 1),
  };
}
