import type { SearchQuery } from "@app-registry/sdk";
import { frequencies } from "./frequencies.ts";
import { COST, isNarrow, shareOfRecords, shareOfTraits } from "./lookup.ts";

/** How often as many records as wanted are expected in the band. */
const MARGIN = 3;

/**
 * The token id from which on enough records with the traits of a search are expected, for a page of the newest below
 * `below`. Undefined where PostgreSQL alone is expected to be as quick: by walking from the newest record down, past
 * those without the traits, or by reading every record that carries them. Between frequent and rare it is slow at both.
 */
export async function bandOf(query: SearchQuery, below: string | undefined): Promise<bigint | undefined> {
  const { q, name } = query;
  // How many records a text stands in is not known here.
  if (!query.traits?.length || q !== undefined || name !== undefined || isNarrow(query)) return undefined;
  const known = await frequencies();
  const carrying = known.records * shareOfTraits(query, known);
  const walked = (query.limit + 1) / shareOfRecords(query, known);
  const size = MARGIN * walked;
  const joined = carrying * COST.traitEntry + size * COST.idEntry + MARGIN * query.limit * COST.row;
  if (Math.min(walked * COST.readTraits, carrying * COST.row) < COST.plan + joined) return undefined;
  const newest = below === undefined ? known.newest : BigInt(below) - 1n;
  const lowest = newest - BigInt(Math.ceil(size));
  return lowest > 0n ? lowest : undefined;
}
