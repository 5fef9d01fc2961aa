import { checkArguments } from "../arguments.ts";
import { canonicalizeValue } from "../json.ts";
import type { JsonValue } from "../jsonValue.ts";
import { type CapabilityChange, compareCapabilities } from "../metadata/compareCapabilities.ts";

/** Part of the version to raise, with the changes that require it. */
export interface VersionProposal {
  part: "major" | "minor" | "patch";
  changes: CapabilityChange[];
}

/**
 * Returns the part of the version that a new document must raise: the major version if callers may break, because
 * something was removed or accepts less than before; the minor version if something was added, or an interface; the
 * patch otherwise. Returns `undefined` if both documents are the same.
 *
 * @param before The published document and the record's interfaces.
 * @param after The document to publish, and its interfaces.
 * @throws {JsonDocumentError} for a text that has no canonical form.
 * @example
 * const published = { name: "Weather", description: "Forecasts." };
 * const draft = { name: "Weather", description: "Forecasts for a week." };
 * proposeVersion({ metadata: published, interfaces: 2 }, { metadata: draft, interfaces: 2 })?.part; // "patch"
 */
export function proposeVersion(
  before: VersionedDocument,
  after: VersionedDocument,
): VersionProposal | undefined {
  for (const one of [before, after]) checkArguments("metadata interfaces", one);
  const changes = compareCapabilities(before.metadata, after.metadata);
  const isLess = (before.interfaces & after.interfaces) !== before.interfaces;
  if (isLess || changes.some(({ breaks }) => breaks !== undefined)) return { part: "major", changes };
  const isMore = before.interfaces !== after.interfaces;
  if (isMore || changes.some(({ change }) => change === "added")) return { part: "minor", changes };
  const isSame = canonicalizeValue(before.metadata) === canonicalizeValue(after.metadata);
  return isSame ? undefined : { part: "patch", changes };
}

type VersionedDocument = { metadata: JsonValue; interfaces: number };
