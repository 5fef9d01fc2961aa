import type { Address } from "viem";
import type { Attestation } from "../client/attestation.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import type { Controller } from "../client/reads/getController.ts";
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
    accounts[0];
  if (!best) return fail("The record has neither holder nor minter.");
  const evidence = evidenceOf(best, accounts);
  if (!best.controller.counts) return fail(reasonFor(best), evidence);
  const holderToo = best.address === owner ? "" : ` The holder ${owner} does not.`;
  return pass(reasonFor(best) + holderToo, evidence);
}

/** The live attestation that lasts longest. */
const strongest = (attestations: readonly Attestation[]): Attestation | undefined =>
  attestations.filter(({ live }) => live).sort((a, b) => b.expiresAt - a.expiresAt)[0];

function reasonFor({ address, role, controller, attestations }: Account): string {
  const who = `The ${role} ${address}`;
  const live = strongest(attestations);
  if (live) {
    const attested = `attested by ${live.issuer} at ${isoTime(live.attestedAt)} until ${isoTime(live.expiresAt)}`;
    if (controller.counts) {
      const vouched = controller.voucher ? `, and vouched for by ${controller.voucher}` : "";
      return `${who} controls the DID: ${attested}${vouched}.`;
    }
    if (controller.rejected) return `${who} is ${attested}, but a controller who counts rejected it.`;
    const from =
      controller.countsFrom === undefined ? "" : ` It counts from ${isoTime(controller.countsFrom)},`;
    return `${who} is ${attested}, but waits as a newcomer on a claimed DID.${from} or at once when a controller vouches for it.`;
  }
  const past = attestations.toSorted((a, b) => b.attestedAt - a.attestedAt)[0];
  if (!past) return `No authorised issuer attests that the ${role} ${address} controls the DID.`;
  return `${who} does not control the DID: the attestation by ${past.issuer} of ${isoTime(past.attestedAt)} has expired or was withdrawn.`;
}

function evidenceOf(best: Account, accounts: readonly Account[]): Record<string, unknown> {
  const live = strongest(best.attestations);
  const { waiting, rejected, countsFrom } = best.controller;
  return {
    controller: best.address,
    role: best.role,
    ...(live && { issuer: live.issuer, attestedAt: live.attestedAt, expiresAt: live.expiresAt }),
    waiting,
    rejected,
    ...(countsFrom !== undefined && { countsFrom }),
    accounts: accounts.map(({ address, role, controller, attestations }) => ({
      address,
      role,
      counts: controller.counts,
      waiting: controller.waiting,
      rejected: controller.rejected,
      attestations,
    })),
  };
}
