/** The records of a page, by token id, and the place behind it; null when it is the last. */
export type Found = { tokenIds: bigint[]; next: unknown };
