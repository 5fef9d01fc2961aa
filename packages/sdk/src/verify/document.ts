import type { Hex } from "viem";
import { compareDocument } from "../hash.ts";
import { getMessage } from "./facts.ts";
import type { Target } from "./target.ts";

/** Source of a document. */
export type DocumentSource = "dataUrl" | "chain";

/** Result of reading a document and comparing it with the record. */
export type DocumentCheck = { source: DocumentSource; location: string } & (
  | { state: "unavailable"; reason: string }
  | { state: "uncanonical"; bytes: number; reason: string }
  | { state: "hashed"; bytes: number; canonical: string; actual: Hex; matches: boolean }
);

/** Canonicalizes a text (RFC 8785), hashes it and compares the hash with the record's. */
export function checkDocument(
  source: DocumentSource,
  location: string,
  text: string,
  target: Pick<Target, "dataHash" | "dataHashAlgorithm">,
): DocumentCheck {
  const bytes = new TextEncoder().encode(text).byteLength;
  try {
    const { dataHash: actual, ...compared } = compareDocument(text, target);
    return { source, location, state: "hashed", bytes, actual, ...compared };
  } catch (error) {
    return { source, location, state: "uncanonical", bytes, reason: getMessage(error) };
  }
}
