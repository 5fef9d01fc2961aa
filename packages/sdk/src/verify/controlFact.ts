import type { Address } from "viem";
import type { Attestation } from "../client/attestation.ts";
import type { Controller } from "../client/controller.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { isoTime } from "../isoTime.ts";
import type { Target } from "./documents.ts";
import { fail, pass } from "./facts.ts";
import type { Fact } from "./report.ts";

/**
 * Returns the reason why the newest of several attestations is not valid now, as a clause. Returns `undefined` if no
 * issuer ever attested.
 *
 * @param ended Verb phrase for an attestation that ended before it expired.
 */
export async function explainEndedAttestation(
  client: AppRegistryClient,
  attestations: readonly Attestation[],
  { ended, blockNumber }: { ended: string; blockNumber: bigint },
): Promise<string | undefined> {
  const issuers = attestations.length === 0 ? [] : await client.getIssuers({ blockNumber });
  const distrusted = new Map(issuers.map(({ issuer, distrustedSince }) => [issuer, distrustedSince]));
  const [newest] = attestations
    .filter(({ startedAt, issuer }) => startedAt > 0 || distrusted.get(issuer) !== undefined)
    .toSorted((a, b) => b.statedAt - a.statedAt);
  if (!newest) return undefined;
  const { issuer, startedAt, endedAt, expiresAt } = newest;
  const since = distrusted.get(issuer);
  if (startedAt === 0) return `${issuer} has been distrusted${since ? ` since ${isoTime(since)}` : ""}`;
  const end =
    endedAt !== undefined && endedAt < expiresAt
      ? `${ended} on ${isoTime(endedAt)}`
      : `expired on ${isoTime(expiresAt)}`;
  return `the attestation by ${issuer} from ${isoTime(startedAt)} ${end}`;
}

/** Returns the live attestation that expires last. */
export const findLongestLived = (attestations: readonly Attestation[]): Attestation | undefined =>
  attestations.filter(({ live }) => live).toSorted((a, b) => b.expiresAt - a.expiresAt)[0];

/** Returns a live attestation as text and as evidence. */
export const describeLive = ({ issuer, startedAt, expiresAt }: Attestation) => ({
  words: `attested by ${issuer} on ${isoTime(startedAt)}, valid until ${isoTime(expiresAt)}`,
  evidence: { issuer, startedAt, expiresAt },
});

type Account = { address: Address; role: string; controller: Controller; attestations: Attestation[] };

/**
 * Checks that the holder or the minter controls the DID now. Only such an account can change the record. The minter
 * doesn't count after another account finished a reclaim.
 */
export async function controlFact(
  client: AppRegistryClient,
  { did, owner, minter, version: { major } }: Target,
  blockNumber: bigint,
): Promise<Fact> {
  const holder = { address: owner, role: owner === minter ? "minter and holder" : "holder" };
  const isHolderAlone = owner === minter || (await client.hasMinterLost({ did, major, blockNumber }));
  const roles = isHolderAlone ? [holder] : [holder, { address: minter, role: "minter" }];
  const accounts = await Promise.all(
    roles.map(async ({ address, role }): Promise<Account> => {
      const read = { did, controller: address, blockNumber };
      const [controller, attestations] = await Promise.all([
        client.getController(read),
        client.getDidAttestations(read),
      ]);
      return { address, role, controller, attestations };
    }),
  );
  const best =
    accounts.find(({ controller }) => controller.controls) ??
    accounts.find(({ controller }) => controller.attested) ??
    accounts.find(({ controller }) => controller.inCharge) ??
    accounts[0];
  if (!best) return fail("The record has no holder and no minter.");
  const evidence = getEvidence(best, accounts);
  if (best.controller.controls) {
    const holderToo = best.address === owner ? "" : ` The current holder ${owner} does not control it.`;
    const matured = best.attestations.filter((attestation) => attestation.matured && !attestation.blocked);
    return pass(`${formatAccount(best)} controls the DID: ${attestedBy(matured)}.${holderToo}`, evidence);
  }
  const reason = best.controller.attested
    ? explainWait(best)
    : await explainLostControl(client, best, blockNumber);
  return fail(reason, evidence);
}

const formatAccount = ({ address, role }: Account): string => `The ${role} ${address}`;

function attestedBy(attestations: readonly Attestation[]): string {
  const best = findLongestLived(attestations);
  return best ? describeLive(best).words : "attested";
}

/** Returns the reason why an account with a live attestation does not control the DID. */
function explainWait(account: Account): string {
  const who = `${formatAccount(account)} is ${attestedBy(account.attestations)}`;
  const { blockedUntil, controlsFrom } = account.controller;
  const effect = controlsFrom === undefined ? "" : ` Its control takes effect on ${isoTime(controlsFrom)}.`;
  if (blockedUntil !== undefined)
    return `${who}, but a controller of this DID blocked it until ${isoTime(blockedUntil)}.${effect}`;
  if (controlsFrom === undefined)
    return `${who}, but that attestation expires before it matures. Another account was attested for this DID before.`;
  return `${who}, but is in the waiting period because another account was attested for this DID before.${effect}`;
}

/** Returns the reason why an account without a live attestation does not control the DID. */
async function explainLostControl(
  client: AppRegistryClient,
  account: Account,
  blockNumber: bigint,
): Promise<string> {
  const reason = await explainEndedAttestation(client, account.attestations, {
    ended: "was revoked or removed by a challenge",
    blockNumber,
  });
  if (!reason) return `No issuer attests that the ${account.role} ${account.address} controls the DID.`;
  const overdue = account.controller.inCharge ? " Its renewal is overdue." : "";
  return `${formatAccount(account)} does not control the DID: ${reason}.${overdue}`;
}

function getEvidence(best: Account, accounts: readonly Account[]): Record<string, unknown> {
  const live = findLongestLived(best.attestations);
  const { controls, attested, inCharge, controlsFrom, blockedUntil } = best.controller;
  return {
    controller: best.address,
    role: best.role,
    ...(live && describeLive(live).evidence),
    waiting: attested && !controls,
    overdue: inCharge && !controls,
    controlsFrom,
    blockedUntil,
    accounts: accounts.map(({ controller, ...account }) => ({ ...account, ...controller })),
  };
}
