import type { PageSearchParams } from "./listQuery.ts";

/** Reads the cursors of a page's lists from its query. Uses the first value of a repeated parameter. */
export function readCursors<Section extends string>(
  params: PageSearchParams,
  sections: readonly Section[],
): Partial<Record<Section, string>> {
  const cursors: Partial<Record<Section, string>> = {};
  for (const section of sections) {
    const [cursor = ""] = [params[section] ?? ""].flat();
    if (cursor !== "" && cursor.length <= 500) cursors[section] = cursor;
  }
  return cursors;
}
