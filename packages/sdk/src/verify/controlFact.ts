import type { Address } from "viem";
import type { Attestation } from "../client/attestation.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import type { Controller } from "../client/reads/getController.ts";
import { longest, reasonOfEnd } from "./attestationTexts.ts";
import { fail, isoTime, pass } from "./facts.ts";
import type { Fact } from "./report.ts";
import type { Target } from "./target.ts";

type Account = { address: Address; role: string; controller: Controller; attestations: Attestation[] };

/** The holder or the minter counts as a controller of the DID now. Only such an account can change the record. */
export async function controlFact(
  client: AppRegistryClient,
  { did, owner, minter }: Target,
  blockNumber: bigint,
): Promise<Fact> {
  const roles =
    owner === minter
      ? [{ address: owner, role: "holder and minter" }]
      : [
          { address: owner, role: "holder" },
          { address: minter, role: "minter" },
        ];
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
    accounts.find(({ controller }) => controller.counts) ??
    accounts.find(({ controller }) => controller.attested) ??
    accounts.find(({ controller }) => controller.late) ??
    accounts[0];
  if (!best) return fail("The record has neither holder nor minter.");
  if (best.controller.counts) {
    const holderToo = best.address === owner ? "" : ` The holder ${owner} does not.`;
    return pass(reasonToCount(best) + holderToo, evidenceOf(best, accounts));
  }
  const objectors = best.controller.objected
    ? (await client.getObjections({ did, controller: best.address, blockNumber })).flatMap(
        ({ inForce, author }) => (inForce ? [author] : []),
      )
    : [];
  const reason = best.controller.attested
    ? reasonToWait(best, objectors)
    : await reasonOfLoss(client, best, blockNumber);
  return fail(reason, { ...evidenceOf(best, accounts), objectors });
}

const nameOf = ({ address, role }: Account): string => `The ${role} ${address}`;

function attestedBy(attestation: Attestation | undefined): string {
  if (!attestation) return "attested";
  const { issuer, startedAt, expiresAt } = attestation;
  return `attested by ${issuer} at ${isoTime(startedAt)} until ${isoTime(expiresAt)}`;
}

function reasonToCount(account: Account): string {
  const settled = longest(account.attestations.filter((attestation) => attestation.settled));
  if (settled) return `${nameOf(account)} controls the DID: ${attestedBy(settled)}.`;
  const vouched = longest(account.attestations.filter((attestation) => attestation.vouched));
  return `${nameOf(account)} controls the DID: ${attestedBy(vouched)}, and vouched for by a controller.`;
}

/** Why an account with a live attestation does not count. */
function reasonToWait(account: Account, objectors: readonly Address[]): string {
  const who = `${nameOf(account)} is ${attestedBy(longest(account.attestations))}`;
  const { objected, settlesAt } = account.controller;
  if (objected) return `${who}, but ${objectors.join(" and ")} objects to it as a controller of the DID.`;
  if (settlesAt === undefined)
    return `${who}, which is too short for a newcomer on a claimed DID to count, unless a controller vouches for it.`;
  return `${who}, but waits as a newcomer on a claimed DID. It counts from ${isoTime(settlesAt)}, or at once when a controller vouches for it.`;
}

/** Why an account without a live attestation does not count. */
async function reasonOfLoss(
  client: AppRegistryClient,
  account: Account,
  blockNumber: bigint,
): Promise<string> {
  const reason = await reasonOfEnd(client, account.attestations, {
    ended: "was revoked or ousted",
    blockNumber,
  });
  if (!reason) return `No issuer attests that the ${account.role} ${account.address} controls the DID.`;
  const late = account.controller.late ? " It is late with its renewal, and counts again once renewed." : "";
  return `${nameOf(account)} does not control the DID: ${reason}.${late}`;
}

const isWaiting = ({ counts, attested, objected }: Controller): boolean => attested && !counts && !objected;

function evidenceOf(best: Account, accounts: readonly Account[]): Record<string, unknown> {
  const live = longest(best.attestations);
  const { objected, late, settlesAt } = best.controller;
  const waiting = isWaiting(best.controller);
  return {
    controller: best.address,
    role: best.role,
    ...(live && { issuer: live.issuer, startedAt: live.startedAt, expiresAt: live.expiresAt }),
    waiting,
    objected,
    late,
    ...(waiting && settlesAt !== undefined && { countsFrom: settlesAt }),
    accounts: accounts.map(({ address, role, controller, attestations }) => ({
      address,
      role,
      counts: controller.counts,
      waiting: isWaiting(controller),
      objected: controller.objected,
      late: controller.late,
      attestations,
    })),
  };
}
