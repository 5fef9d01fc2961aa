import type { SearchQuery } from "@app-registry/sdk";
import { keccak256, stringToBytes } from "viem";
import { z } from "zod";
import { type InterpretedQuery, interpretedQuerySchema } from "./interpretQuery.ts";

/** Thrown if a cursor does not belong to the search. */
export class InvalidCursorError extends Error {
  override readonly name = "InvalidCursorError";

  constructor(message = "is not a cursor of this search") {
    super(message);
  }
}

/** Token id in a cursor. */
export const tokenIdSchema = z.string().regex(/^\d{1,78}$/);

/** Returns a hash of a search without its paging, which binds a cursor to the search. */
function fingerprint(query: SearchQuery): string {
  const { cursor: _cursor, limit: _limit, facets: _facets, minBlock: _minBlock, ...search } = query;
  return keccak256(stringToBytes(JSON.stringify(search))).slice(2, 14);
}

/** Position in a search, whose type depends on the order, and the interpretation of the words. */
export type CursorState<Place> = { place: Place; understood: InterpretedQuery | undefined };

/** Encodes a position as an opaque cursor. */
export function encodeCursor(query: SearchQuery, { place, understood }: CursorState<unknown>): string {
  return Buffer.from(JSON.stringify([fingerprint(query), place, understood ?? null])).toString("base64url");
}

/**
 * Decodes `query.cursor`. Returns `undefined` if there is no cursor.
 *
 * @throws {InvalidCursorError}
 */
export function decodeCursor<Place>(
  query: SearchQuery,
  placeSchema: z.ZodType<Place>,
): CursorState<Place> | undefined {
  if (query.cursor === undefined) return undefined;
  const understoodIf = query.q === undefined ? z.null() : interpretedQuerySchema(query.q);
  const schema = z.tuple([z.literal(fingerprint(query)), placeSchema, understoodIf]);
  try {
    const json: unknown = JSON.parse(Buffer.from(query.cursor, "base64url").toString("utf8"));
    const [, place, understood] = schema.parse(json);
    return { place, understood: understood ?? undefined };
  } catch {
    throw new InvalidCursorError();
  }
}
