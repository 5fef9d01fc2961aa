import { hasDot, hasInnerDot, soundsOfficial } from "../../lib/record/claims.ts";
import type { Outcome } from "../../lib/record/facts.ts";

export type RowClaims = {
  name: string;
  publisher: string;
  description: string;
  /** Another service has the same name or a similar-looking one. */
  sharesName: boolean;
  /** Outcome of *control*; undefined if the index has none and the chain is still being read. */
  control: Outcome | undefined;
};

/**
 * Returns true if a row needs its own "Claimed" tag at every width. The column's heading scrolls out of sight and is
 * missing in a screenshot of one row, so claims that could mislead carry the tag as well.
 */
export function needsClaimedTag({ name, publisher, description, sharesName, control }: RowClaims): boolean {
  if (sharesName || control !== "pass") return true;
  return hasDot(name) || hasInnerDot(publisher) || [name, publisher, description].some(soundsOfficial);
}
