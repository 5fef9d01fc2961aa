import type { SearchQuery } from "@app-registry/sdk";
import { keccak256, stringToBytes } from "viem";
import { z } from "zod";

/** The cursor is not one of this search. */
export class InvalidCursorError extends Error {
  override readonly name = "InvalidCursorError";

  constructor() {
    super("is not a cursor of this search");
  }
}

/** A token id as a cursor holds it. */
export const tokenIdSchema = z.string().regex(/^\d{1,78}$/);

/** What a cursor belongs to: the search without its paging. */
function fingerprint({ cursor: _cursor, limit: _limit, facets: _facets, ...search }: SearchQuery): string {
  return keccak256(stringToBytes(JSON.stringify(search))).slice(2, 14);
}

/** The opaque cursor of a place, whose form is its order's own. */
export function encodeCursor(query: SearchQuery, place: unknown): string {
  return Buffer.from(JSON.stringify([fingerprint(query), place])).toString("base64url");
}

/**
 * The place that `query.cursor` names, undefined without a cursor.
 *
 * @throws {InvalidCursorError}
 */
export function decodeCursor<Place extends z.ZodType>(
  query: SearchQuery,
  placeSchema: Place,
): z.output<Place> | undefined {
  if (query.cursor === undefined) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(query.cursor, "base64url").toString("utf8"));
  } catch {
    throw new InvalidCursorError();
  }
  const named = z.tuple([z.literal(fingerprint(query)), z.unknown()]).safeParse(json);
  const place = placeSchema.safeParse(named.data?.[1]);
  if (!named.success || !place.success) throw new InvalidCursorError();
  return place.data;
}
