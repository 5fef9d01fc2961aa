import type { CapabilityChange } from "./compareCapabilities.ts";

/** Maximum number of changes in a summary, and of characters of a name. */
const MAX_CHANGES = 3;
const MAX_NAME = 60;

/**
 * Describes changes as a part of a sentence. Publishers and servers choose the names: those that could be read as other
 * parts of the sentence are quoted.
 *
 * @example
 * summarizeChanges([{ kind: "tool", name: "sum", change: "added" }]); // "tool sum added"
 */
export function summarizeChanges(
  changes: readonly Pick<CapabilityChange, "kind" | "name" | "change">[],
): string {
  const named = changes
    .slice(0, MAX_CHANGES)
    .map(({ kind, name, change }) =>
      kind === "instructions" ? `${kind} ${change}` : `${kind} ${quoteName(name)} ${change}`,
    );
  const rest = changes.length - MAX_CHANGES;
  return `${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function quoteName(name: string): string {
  const shown = name.replace(/\p{C}/gu, "").replace(/\s+/g, " ").slice(0, MAX_NAME);
  return /^[\w./:@{}-]+$/.test(shown) ? shown : JSON.stringify(shown);
}
