/** A record that a search met, and the state that it was in (see `recordState`). */
export type MetRecord = { tokenId: string; state: string };

/** The records of a page in their order, and the place behind it; null when it is the last. */
export type Found = { records: MetRecord[]; next: unknown };
