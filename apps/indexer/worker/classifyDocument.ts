import { type DocumentLabels, parseDocument } from "@app-registry/index/document/parseDocument";
import { recordLabels } from "@app-registry/index/document/recordLabels";
import {
  compareDocument,
  type HashAlgorithm,
  isJsonObject,
  JsonDocumentError,
  type Metadata,
  parseJsonStrict,
} from "@app-registry/sdk";
import type { Hex } from "viem";
import type { StoredDocument } from "./documents.ts";

/** Fields of a record that identify and label its document. */
type Recorded = { did: string; traitHashes: Hex[]; dataHash: Hex; algorithm: number };

/** Longest document whose text is stored, in UTF-16 code units. */
const MAX_KEPT = 65_536;

/** Kind of a text: the recorded document, a document with another hash, or no hashable JSON. */
export type ClassifiedDocument =
  | { is: "recorded"; kept: StoredDocument }
  | { is: "another"; dataHash: Hex }
  | { is: "no-document"; reason: string };

/** Canonicalizes and hashes a text that a host served, and reads the labels if it is the recorded document. */
export function classifyDocument({ text, record }: { text: string; record: Recorded }): ClassifiedDocument {
  try {
    const recorded = { dataHash: record.dataHash, dataHashAlgorithm: record.algorithm as HashAlgorithm };
    const { canonical, dataHash, matches } = compareDocument(text, recorded);
    if (!matches) return { is: "another", dataHash };
    const content = parseDocument(new TextEncoder().encode(canonical));
    const kept = canonical.length > MAX_KEPT ? null : canonical;
    return { is: "recorded", kept: { text: kept, content, labels: recordLabels(record, content) } };
  } catch (error) {
    if (!(error instanceof JsonDocumentError)) throw error;
    return { is: "no-document", reason: error.shortMessage };
  }
}

/** Returns the metadata of a text, or `undefined` if the text does not match the registered hash. */
export function parseRecordedMetadata({
  text,
  record,
}: {
  text: string;
  record: Pick<Recorded, "dataHash" | "algorithm">;
}): Metadata | undefined {
  try {
    const recorded = { dataHash: record.dataHash, dataHashAlgorithm: record.algorithm as HashAlgorithm };
    const { canonical, matches } = compareDocument(text, recorded);
    const document = matches ? parseJsonStrict(canonical) : undefined;
    return isJsonObject(document) ? (document as Metadata) : undefined;
  } catch (error) {
    if (!(error instanceof JsonDocumentError)) throw error;
    return undefined;
  }
}

export function toRecordLabels({ content, record }: { content: DocumentLabels; record: Recorded }) {
  return recordLabels(record, content);
}
