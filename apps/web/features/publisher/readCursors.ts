import type { PageSearchParams } from "../explore/listQuery.ts";

/** The places in a page's lists, out of its address; what is given twice counts once. */
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
