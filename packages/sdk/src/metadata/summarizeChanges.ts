import type { CapabilityChange } from "./compareCapabilities.ts";

/** Maximum number of changes in a summary, and of characters of a name. */
const MAX_CHANGES = 3;
const MAX_NAME = 60;

/**
 * Describes changes as a part of a sentence. Removes control characters from names, which publishers and servers choose.
 *
 * @example
 * summarizeChanges([{ kind: "tool", name: "sum", change: "added" }]); // "tool sum added"
 */
export function summarizeChanges(
  changes: readonly Pick<CapabilityChange, "kind" | "name" | "change">[],
): string {
  const named = changes.slice(0, MAX_CHANGES).map(({ kind, name, change }) => {
    const element =
      kind === "instructions" ? kind : `${kind} ${name.replace(/\p{C}/gu, "").slice(0, MAX_NAME)}`;
    return `${element} ${change}`;
  });
  const rest = changes.length - MAX_CHANGES;
  return `${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
