import { LRUCache } from "lru-cache";

/** The canonical document of a version, which hashed to its record when it was read. */
export type KeptDocument = { dataHash: string; bytes: Uint8Array<ArrayBuffer> };

/** Documents by versioned DID. */
export type DocumentCache = LRUCache<string, KeptDocument>;

/** Bytes of all documents together. */
const CAPACITY = 32 * 1024 * 1024;

/** Bytes of an entry besides its document, about. */
const OVERHEAD = 500;

/** Keeps the documents that were asked for last, as many as fit into 32 MiB. */
export const createDocumentCache = (): DocumentCache =>
  new LRUCache({ maxSize: CAPACITY, sizeCalculation: ({ bytes }) => bytes.length + OVERHEAD });
