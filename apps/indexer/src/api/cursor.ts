import type { SearchQuery } from "@app-registry/sdk";
import { keccak256, stringToBytes } from "viem";
import { z } from "zod";

/** Where a page ended: the sort value of its last result, if the order has one besides the token id. */
export type Position = { value: string | number | null; tokenId: bigint };

const cursorSchema = z.tuple([
  z.string(),
  z.union([z.string(), z.number(), z.null()]),
  z.string().regex(/^\d{1,78}$/),
]);

/** What a cursor belongs to: the search without its paging. */
function fingerprint({ cursor: _cursor, limit: _limit, ...search }: SearchQuery): string {
  return keccak256(stringToBytes(JSON.stringify(search))).slice(2, 14);
}

/** The opaque cursor of the page behind `position`. */
export function encodeCursor(query: SearchQuery, { value, tokenId }: Position): string {
  return Buffer.from(JSON.stringify([fingerprint(query), value, tokenId.toString()])).toString("base64url");
}

/** The position that `query.cursor` names; undefined when it is not a cursor of this search. */
export function decodeCursor(query: SearchQuery & { cursor: string }): Position | undefined {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(query.cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
  const parsed = cursorSchema.safeParse(json);
  if (!parsed.success || parsed.data[0] !== fingerprint(query)) return undefined;
  return { value: parsed.data[1], tokenId: BigInt(parsed.data[2]) };
}
