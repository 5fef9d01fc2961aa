import {
  compareDocument,
  type HashAlgorithm,
  isJsonObject,
  JsonDocumentError,
  type Metadata,
  parseJsonStrict,
} from "@app-registry/sdk";
import type { Hex } from "viem";
import { type DocumentLabels, parseDocument } from "../src/document/parseDocument.ts";
import { recordLabels } from "../src/document/recordLabels.ts";
import type { StoredDocument } from "./documents.ts";

/** What a record says of its document. */
type Recorded = { did: string; traitHashes: Hex[]; dataHash: Hex; algorithm: number };

/** UTF-16 units of the longest document that is kept whole. */
const MAX_KEPT = 65_536;

/** What a text is: the recorded document, another one by its hash, or none. */
export type ClassifiedDocument =
  | { is: "recorded"; kept: StoredDocument }
  | { is: "another"; dataHash: Hex }
  | { is: "no-document"; reason: string };

/** Canonicalises a text that a host served and hashes it; reads the labels out of the document that was recorded. */
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

/** The metadata of a text that hashes to what is recorded; undefined for any other text. */
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

/** The labels of a record out of a document that was kept before. */
export function toRecordLabels({ content, record }: { content: DocumentLabels; record: Recorded }) {
  return recordLabels(record, content);
}
