import { z } from "zod";
import { dateTimeText } from "../../components/record/times.ts";
import { lastExpiry } from "./controlWaits.ts";
import type { AccountControl } from "./readAccountControl.ts";

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/) as unknown as z.ZodType<`0x${string}`>;
const time = z.int().nonnegative();

/** An account that issuers attest for a DID and that does not control it yet. Times are Unix seconds. */
export const newcomerSchema = z.object({
  did: z.string(),
  account: address,
  since: time.describe("When its first live attestation began."),
  changedAt: time.describe("When it was last attested or blocked."),
  controlsFrom: time
    .nullable()
    .describe("When its control takes effect if nobody acts; null if it never does. Includes a block."),
  blockedUntil: time.nullable().describe("When the block that keeps it from control ends; null without one."),
  expiresAt: time.describe("When its last live attestation expires."),
});

export type Newcomer = z.output<typeof newcomerSchema>;

/** Returns what the chain says of an account that may wait; `undefined` if it does not. */
export function toNewcomer(did: string, control: AccountControl): Newcomer | undefined {
  const { account, controller, attestations, block } = control;
  if (controller.controls || !controller.attested) return undefined;
  const live = attestations.filter((attestation) => attestation.live);
  return {
    did,
    account,
    since: Math.min(...live.map(({ startedAt }) => startedAt)),
    changedAt: Math.max(...live.map(({ statedAt }) => statedAt), block?.blockedAt ?? 0),
    controlsFrom: controller.controlsFrom ?? null,
    blockedUntil: controller.blockedUntil ?? null,
    expiresAt: lastExpiry(live),
  };
}

const at = (seconds: number): string => dateTimeText(new Date(seconds * 1_000));

type Waiting = Pick<Newcomer, "account" | "controlsFrom" | "blockedUntil">;

const effectText = ({ controlsFrom }: Waiting): string =>
  controlsFrom === null ? "" : ` Its control takes effect on ${at(controlsFrom)}.`;

/** Says to everybody what a waiting account gets if nobody acts. */
export function newcomerTexts(newcomer: Waiting): { title: string; why: string } {
  const { account, controlsFrom, blockedUntil } = newcomer;
  const title = `${account} is requesting control of this DID`;
  if (blockedUntil !== null) {
    return { title, why: `Blocked until ${at(blockedUntil)}.${effectText(newcomer)}` };
  }
  if (controlsFrom === null) return { title, why: "Its attestation expires before it matures." };
  return { title, why: `Takes effect on ${at(controlsFrom)} unless a controller blocks the account.` };
}

/** Warns a controller of an account that waits or is blocked. */
export function warningTexts(newcomer: Waiting): { title: string; why: string } {
  const { account, controlsFrom, blockedUntil } = newcomer;
  if (blockedUntil !== null) {
    const title = `An account is blocked from control of your DID until ${at(blockedUntil)}`;
    return { title, why: `Account ${account}.${effectText(newcomer)}` };
  }
  const waiting = "An account is waiting for control of your DID";
  if (controlsFrom === null) {
    return { title: waiting, why: `Account ${account}. Its attestation expires before it matures.` };
  }
  const title = `${waiting}: it takes effect on ${at(controlsFrom)} unless you block it`;
  return { title, why: `Account ${account}. An issuer attests it.` };
}
