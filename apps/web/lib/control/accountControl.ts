import {
  type AppRegistryClient,
  type AppSummary,
  type Attestation,
  type Block,
  type Controller,
  type IssuerState,
  RENEWAL_GRACE_SECONDS,
  type ResolverPolicy,
} from "@app-registry/sdk";
import { type Address, isAddressEqual } from "viem";
import { getBlock } from "viem/actions";
import { isoTime } from "../record/times.ts";

/** Resolver state of an account and a DID at one block. Times are in Unix seconds. */
export interface AccountControl {
  account: Address;
  /** Time of the block. */
  now: number;
  controller: Controller;
  attestations: readonly Attestation[];
  /** Block on the account, or `undefined` without one. */
  block: Block | undefined;
  issuers: readonly IssuerState[];
  policy: ResolverPolicy;
}

interface AccountControlParameters {
  did: string;
  account: Address;
  /** Block number to read at. Default: the latest block. */
  blockNumber?: bigint | undefined;
}

/**
 * Reads whether an account controls a DID, with the attestations, blocks and policy that decide it.
 * @throws RpcUnavailableError or RpcFailedError.
 */
export async function readAccountControl(
  client: AppRegistryClient,
  { did, account, blockNumber: wanted }: AccountControlParameters,
): Promise<AccountControl> {
  const head = getBlock(client.publicClient, wanted === undefined ? {} : { blockNumber: wanted });
  const at = { blockNumber: wanted ?? (await head).number };
  const about = { did, controller: account, ...at };
  const [{ timestamp }, controller, attestations, block, issuers, policy] = await Promise.all([
    head,
    client.getController(about),
    client.getDidAttestations(about),
    client.getBlock(about),
    client.getIssuers(at),
    client.getResolverPolicy(at),
  ]);
  return { account, now: Number(timestamp), controller, attestations, block, issuers, policy };
}

/** Returns an account's roles in a record. */
export const getRoles = (
  account: Address,
  record: Pick<AppSummary, "owner" | "minter"> | undefined,
): string[] => [
  ...(account === record?.owner ? ["holder"] : []),
  ...(account === record?.minter ? ["minter"] : []),
];

/**
 * Returns the path of the page about control of a DID, or about one account's control of it. Colons need no encoding in
 * a query (RFC 3986, 3.4).
 */
export const controlHref = (did: string, account?: Address): string =>
  `/control?did=${encodeURIComponent(did).replaceAll("%3A", ":")}${account === undefined ? "" : `&account=${account}`}`;

/** Reason an account does not control a DID yet, and its end. Times are in Unix seconds. */
export type ControlWait =
  /**
   * A controller blocked the account. `controlsFrom`: when control takes effect if nobody acts, or undefined if never.
   */
  | { kind: "blocked"; until: number; controlsFrom: number | undefined }
  /** The attestation expired, and can be renewed without a new waiting period before `until`. */
  | { kind: "overdue"; expiredAt: number; until: number }
  /** The account is attested, and controls the DID from `until` on if nobody acts. */
  | { kind: "maturing"; until: number }
  /** The attestation expires before it matures. */
  | { kind: "expires-first"; expiresAt: number }
  /** An issuer ended its attestation, and can attest the account again from `until`. */
  | { kind: "revoked"; issuer: Address; until: number };

/**
 * Returns the reasons an account has no control, in the order in which they can be resolved, or an empty list if there
 * is no known reason.
 */
export function controlWaits(control: AccountControl): ControlWait[] {
  const { controls, inCharge, attested, controlsFrom, blockedUntil } = control.controller;
  if (controls) return [];
  const overdue: ControlWait[] = inCharge ? [overdueWait(control)] : [];
  if (!attested) return inCharge ? overdue : revokedWaits(control);
  if (blockedUntil !== undefined) return [{ kind: "blocked", until: blockedUntil, controlsFrom }];
  if (controlsFrom !== undefined) return [...overdue, { kind: "maturing", until: controlsFrom }];
  const expiresAt = lastExpiry(control.attestations.filter(({ live }) => live));
  return [...overdue, { kind: "expires-first", expiresAt }];
}

/**
 * Returns when the first attestation that supports control matured and the last one expires, in Unix seconds, and their
 * issuers, or `undefined` without one.
 */
export function controlSpan({
  attestations,
}: Pick<AccountControl, "attestations">): { since: number; until: number; issuers: Address[] } | undefined {
  const giving = attestations.filter(({ matured, blocked }) => matured && !blocked);
  if (giving.length === 0) return undefined;
  return {
    since: Math.min(...giving.map(({ maturesAt }) => maturesAt)),
    until: lastExpiry(giving),
    issuers: giving.map(({ issuer }) => issuer),
  };
}

/** Returns the latest expiry among attestations, in Unix seconds. */
export const lastExpiry = (attestations: readonly Attestation[]): number =>
  Math.max(...attestations.map(({ expiresAt }) => expiresAt));

function overdueWait({ attestations }: AccountControl): ControlWait {
  const expiredAt = lastExpiry(attestations.filter(({ overdue, blocked }) => overdue && !blocked));
  return { kind: "overdue", expiredAt, until: expiredAt + RENEWAL_GRACE_SECONDS };
}

/** Returns the issuer that can attest the account again first. */
function revokedWaits({ attestations, issuers, policy, now }: AccountControl): ControlWait[] {
  const active = new Set(issuers.filter(({ status }) => status === "active").map(({ issuer }) => issuer));
  const [first] = attestations
    .filter(({ issuer }) => active.has(issuer))
    .map(({ issuer, revokedAt = 0 }) => ({ issuer, until: revokedAt + policy.maturation }))
    .filter(({ until }) => until > now)
    .toSorted((a, b) => a.until - b.until);
  return first === undefined ? [] : [{ kind: "revoked", ...first }];
}

/** Challenge of a controller. The time is in Unix seconds. */
type Challenge = { challenger: Address; incumbent: Address; openedAt: number };

/**
 * Counts the issuers whose attestation of a challenger matured before the challenge was opened, and the issuers that
 * resist for the challenged controller. To win, the challenger needs more.
 */
export function challengeWeights(
  { challenger, incumbent, openedAt }: Challenge,
  controls: readonly AccountControl[],
): { score: number; resistance: number } {
  const find = (account: Address) => controls.find((one) => isAddressEqual(one.account, account));
  const matured = find(challenger)?.attestations.filter((one) => one.matured && one.maturesAt <= openedAt);
  return { score: matured?.length ?? 0, resistance: find(incumbent)?.controller.resistance ?? 0 };
}

/** Account that waits for control. Times are in Unix seconds, or null without one. */
type Waiting = { account: Address; controlsFrom: number | null; blockedUntil: number | null };

const effectText = ({ controlsFrom }: Waiting): string =>
  controlsFrom === null ? "" : ` Control takes effect on ${isoTime(controlsFrom)}.`;

/** Returns the public notice about a waiting account. Times are in ISO 8601. */
export function newcomerTexts(newcomer: Waiting): { title: string; why: string } {
  const { account, controlsFrom, blockedUntil } = newcomer;
  const title = "An account is requesting control of this DID";
  if (blockedUntil !== null) {
    return {
      title,
      why: `Account ${account} is blocked until ${isoTime(blockedUntil)}.${effectText(newcomer)}`,
    };
  }
  if (controlsFrom === null) {
    return { title, why: `The attestation of account ${account} expires before it matures.` };
  }
  const from = isoTime(controlsFrom);
  return {
    title,
    why: `Control by account ${account} takes effect on ${from} unless a controller blocks it.`,
  };
}

/** Returns the warning to a controller about an account that waits or is blocked. */
export function warningTexts(newcomer: Waiting): { title: string; why: string } {
  const { account, controlsFrom, blockedUntil } = newcomer;
  if (blockedUntil !== null) {
    const title = `An account is blocked from control of your DID until ${isoTime(blockedUntil)}`;
    return { title, why: `Account ${account}.${effectText(newcomer)}` };
  }
  const waiting = "An account is waiting for control of your DID";
  if (controlsFrom === null) {
    return { title: waiting, why: `The attestation of account ${account} expires before it matures.` };
  }
  const title = `${waiting}: control takes effect on ${isoTime(controlsFrom)} unless you block the account`;
  return { title, why: `An issuer attests account ${account}.` };
}
