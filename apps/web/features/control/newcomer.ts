import { z } from "zod";
import { dateTimeText } from "../../components/record/labels.tsx";

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/) as unknown as z.ZodType<`0x${string}`>;
const time = z.int().nonnegative();

/** An account that issuers attest for a DID and that does not count as its controller yet. Times are Unix seconds. */
export const newcomerSchema = z.object({
  did: z.string(),
  account: address,
  since: time.describe("When its first live attestation began."),
  changedAt: time.describe("Its last attestation, or the last objection in force."),
  countsFrom: time
    .nullable()
    .describe(
      "When it counts unless a controller objects; null while an objection is in force, or for never.",
    ),
  objectedBy: z.array(address).describe("Controllers whose objection is in force."),
  overruledFrom: time
    .nullable()
    .describe(
      "The earliest time at which issuers can overrule every objection; null without one, or for never.",
    ),
  expiresAt: time.describe("When its last live attestation expires."),
});

export type Newcomer = z.output<typeof newcomerSchema>;

const at = (seconds: number): string => dateTimeText(new Date(seconds * 1_000));

/** What a newcomer asks for, and what comes of it if nobody acts, as sentences for people. */
export function newcomerTexts(newcomer: Newcomer): { title: string; why: string } {
  const { account, countsFrom, objectedBy, overruledFrom, expiresAt } = newcomer;
  const title = `${account} asks to control this DID`;
  if (objectedBy.length > 0) {
    const authors = objectedBy.join(" and ");
    const verb = objectedBy.length === 1 ? "objects" : "object";
    const end =
      overruledFrom === null
        ? "There are not enough issuers to overrule that."
        : `Enough issuers could overrule that on ${at(overruledFrom)} at the earliest.`;
    return { title, why: `It does not count, because ${authors} ${verb}. ${end}` };
  }
  if (countsFrom === null) {
    const why = `It counts only if a controller vouches: its attestation expires on ${at(expiresAt)}, before it settles.`;
    return { title, why };
  }
  return { title, why: `It counts from ${at(countsFrom)} unless a controller objects.` };
}
