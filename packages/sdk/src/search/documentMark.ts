import * as z from "zod/mini";
import { countSchema, described } from "../schemas.ts";

/**
 * What a record's dataUrl served when the index last fetched it.
 *
 * - `served`: the document that hashes to the record's dataHash
 * - `mismatch`: another document
 * - `not-json`: a text that can't be canonicalised (RFC 8785)
 * - `not-served`: an answer without a document: its status, type, encoding or size
 * - `unreachable`: no answer: its name, connection, certificate or time
 * - `not-allowed`: nothing, because it is not an https URL of a public host
 * - `pending`: it was not fetched yet
 */
export const documentStateSchema = z.enum([
  "served",
  "mismatch",
  "not-json",
  "not-served",
  "unreachable",
  "not-allowed",
  "pending",
]);

export type DocumentState = z.output<typeof documentStateSchema>;

/** Where the labels of a search result come from, and what its dataUrl served. */
export const documentStatusSchema = z.object({
  source: described(
    z.nullable(z.enum(["chain", "dataUrl"])),
    "Where the labels come from: the JSON on the chain, or the dataUrl document that matches the " +
      "dataHash; null if there are none.",
  ),
  state: described(
    z.optional(documentStateSchema),
    "Result of the last fetch of dataUrl: served (matches the record), mismatch (a different document), " +
      "not-json, not-served (response without a document), unreachable, not-allowed (not a public https URL) or " +
      "pending. Absent when the JSON is on the chain.",
  ),
  reason: described(z.optional(z.string()), "Why the document isn't available."),
  checkedAt: described(z.optional(countSchema), "When dataUrl was last fetched, Unix seconds."),
});

export type DocumentStatus = z.output<typeof documentStatusSchema>;
