import { z } from "zod";
import { dateTimeText } from "../../components/record/times.ts";
import { controlWaits } from "./controlWaits.ts";
import type { AccountControl } from "./readAccountControl.ts";

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
      "When its control takes effect unless a controller objects; null while an objection is in force, or if it never does.",
    ),
  objectedBy: z.array(address).describe("Controllers whose objection is in force."),
  overruledFrom: time
    .nullable()
    .describe(
      "Earliest time at which issuers can overrule every objection; null if there is no objection, or if they never can.",
    ),
  expiresAt: time.describe("When its last live attestation expires."),
});

export type Newcomer = z.output<typeof newcomerSchema>;

/** What the chain says of an account that may wait; undefined if it does not. */
export function newcomerOf(did: string, control: AccountControl): Newcomer | undefined {
  const { account, controller, attestations, objections } = control;
  if (controller.counts || !controller.attested) return undefined;
  const live = attestations.filter((attestation) => attestation.live);
  const waits = controlWaits(control);
  const ends = waits.flatMap((wait) => (wait.kind === "objected" ? [wait] : []));
  const settling = waits.find((wait) => wait.kind === "settling");
  const inForce = objections.filter((objection) => objection.inForce);
  const overruledFrom = ends.reduce<number | null>(
    (latest, { until }) => (latest === null || until === undefined ? null : Math.max(latest, until)),
    0,
  );
  return {
    did,
    account,
    since: Math.min(...live.map(({ startedAt }) => startedAt)),
    changedAt: Math.max(
      ...live.map(({ statedAt }) => statedAt),
      ...inForce.map(({ objectedAt }) => objectedAt),
    ),
    countsFrom: ends.length === 0 ? (settling?.until ?? null) : null,
    objectedBy: ends.map(({ author }) => author),
    overruledFrom: ends.length === 0 ? null : overruledFrom,
    expiresAt: Math.max(...live.map(({ expiresAt }) => expiresAt)),
  };
}

const at = (seconds: number): string => dateTimeText(new Date(seconds * 1_000));

/** What a newcomer asks for, and what comes of it if nobody acts, as sentences for people. */
export function newcomerTexts(newcomer: Newcomer): { title: string; why: string } {
  const { account, countsFrom, objectedBy, overruledFrom, expiresAt } = newcomer;
  const title = `${account} is requesting control of this DID`;
  if (objectedBy.length > 0) {
    const authors = objectedBy.join(" and ");
    const verb = objectedBy.length === 1 ? "objects" : "object";
    const end =
      overruledFrom === null
        ? "There are not enough issuers to overrule the objection."
        : `Issuers could overrule the objection on ${at(overruledFrom)} at the earliest.`;
    return { title, why: `Blocked because ${authors} ${verb}. ${end}` };
  }
  if (countsFrom === null) {
    const why = `Takes effect only if a controller vouches: its attestation expires on ${at(expiresAt)}, before it matures.`;
    return { title, why };
  }
  return { title, why: `Takes effect on ${at(countsFrom)} unless a controller objects.` };
}
