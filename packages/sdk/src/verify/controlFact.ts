import type { Address } from "viem";
import type { Attestation } from "../client/attestation.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import type { Controller } from "../client/reads/getController.ts";
import { describeLive, longest, reasonOfEnd } from "./attestationTexts.ts";
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
      ? [{ address: owner, role: "minter and holder" }]
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
  if (!best) return fail("The record has no holder and no minter.");
  if (best.controller.counts) {
    const holderToo = best.address === owner ? "" : ` The current holder ${owner} does not control it.`;
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

function attestedBy(attestations: readonly Attestation[]): string {
  const best = longest(attestations);
  return best ? describeLive(best).words : "attested";
}

function reasonToCount(account: Account): string {
  const settled = account.attestations.filter((attestation) => attestation.settled);
  const vouched = account.attestations.filter((attestation) => attestation.vouched);
  const words =
    settled.length > 0 ? attestedBy(settled) : `${attestedBy(vouched)}, and vouched for by a controller`;
  return `${nameOf(account)} controls the DID: ${words}.`;
}

/** Why an account with a live attestation does not count. */
function reasonToWait(account: Account, objectors: readonly Address[]): string {
  const who = `${nameOf(account)} is ${attestedBy(account.attestations)}`;
  const { objected, settlesAt } = account.controller;
  if (objected) return `${who}, but blocked by an objection from ${objectors.join(" and ")}.`;
  if (settlesAt === undefined)
    return `${who}, but that attestation expires before it matures. Another account was attested for this DID before.`;
  return `${who}, but is in the waiting period because another account was attested for this DID before. Its control takes effect on ${isoTime(settlesAt)}, or when a controller vouches for it.`;
}

/** Why an account without a live attestation does not count. */
async function reasonOfLoss(
  client: AppRegistryClient,
  account: Account,
  blockNumber: bigint,
): Promise<string> {
  const reason = await reasonOfEnd(client, account.attestations, {
    ended: "was revoked or removed by a challenge",
    blockNumber,
  });
  if (!reason) return `No issuer attests that the ${account.role} ${account.address} controls the DID.`;
  const late = account.controller.late ? " Its renewal is overdue." : "";
  return `${nameOf(account)} does not control the DID: ${reason}.${late}`;
}

function evidenceOf(best: Account, accounts: readonly Account[]): Record<string, unknown> {
  const live = longest(best.attestations);
  const { counts, attested, objected, late, settlesAt } = best.controller;
  const waiting = attested && !counts && !objected;
  return {
    controller: best.address,
    role: best.role,
    ...(live && describeLive(live).evidence),
    waiting,
    objected,
    late,
    ...(waiting && { countsFrom: settlesAt }),
    accounts: accounts.map(({ controller, ...account }) => ({ ...account, ...controller })),
  };
}
