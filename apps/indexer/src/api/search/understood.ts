import { z } from "zod";

/** What a search by words looks for. It goes with the cursor, so that every page looks for the same. */
export const understoodSchema = z.object({
  /** The words: without function words, corrected, and known to the index. */
  words: z.array(z.string().regex(/^[\p{L}\p{N}]{1,64}$/u)).max(12),
  /** How many of them a record has to hold. */
  least: z.int().min(1).max(12),
  corrected: z.array(z.object({ from: z.string(), to: z.string() })),
});

export type Understood = z.output<typeof understoodSchema>;
