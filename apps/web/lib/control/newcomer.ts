import { z } from "zod";
import { lastExpiry } from "./controlWaits.ts";
import type { AccountControl } from "./readAccountControl.ts";

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/) as unknown as z.ZodType<`0x${string}`>;

const time = z.int().nonnegative();

/** Account that issuers attest for a DID that it does not control yet. Times are in Unix seconds. */
export const newcomerSchema = z.object({
  did: z.string(),
  account: address,
  since: time.describe("When the earliest of the account's live attestations began."),
  changedAt: time.describe("When the account was last attested or blocked."),
  controlsFrom: time
    .nullable()
    .describe("When control takes effect if nobody acts, including any block; null if never."),
  blockedUntil: time.nullable().describe("When the block of the account ends; null without a block."),
  expiresAt: time.describe("When the account's last live attestation expires."),
});

export type Newcomer = z.output<typeof newcomerSchema>;

/** Converts an account's control to a newcomer, or returns `undefined` if the account is not waiting. */
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

const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();

type Waiting = Pick<Newcomer, "account" | "controlsFrom" | "blockedUntil">;

const effectText = ({ controlsFrom }: Waiting): string =>
  controlsFrom === null ? "" : ` Control takes effect on ${at(controlsFrom)}.`;

/** Returns the public notice about a waiting account. Times are in ISO 8601. */
export function newcomerTexts(newcomer: Waiting): { title: string; why: string } {
  const { account, controlsFrom, blockedUntil } = newcomer;
  const title = "An account is requesting control of this DID";
  if (blockedUntil !== null) {
    return { title, why: `Account ${account} is blocked until ${at(blockedUntil)}.${effectText(newcomer)}` };
  }
  if (controlsFrom === null) {
    return { title, why: `The attestation of account ${account} expires before it matures.` };
  }
  const from = at(controlsFrom);
  return {
    title,
    why: `Control by account ${account} takes effect on ${from} unless a controller blocks it.`,
  };
}

/** Returns the warning to a controller about an account that waits or is blocked. */
export function warningTexts(newcomer: Waiting): { title: string; why: string } {
  const { account, controlsFrom, blockedUntil } = newcomer;
  if (blockedUntil !== null) {
    const title = `An account is blocked from control of your DID until ${at(blockedUntil)}`;
    return { title, why: `Account ${account}.${effectText(newcomer)}` };
  }
  const waiting = "An account is waiting for control of your DID";
  if (controlsFrom === null) {
    return { title: waiting, why: `The attestation of account ${account} expires before it matures.` };
  }
  const title = `${waiting}: control takes effect on ${at(controlsFrom)} unless you block the account`;
  return { title, why: `An issuer attests account ${account}.` };
}
