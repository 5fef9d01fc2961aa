import type { CanonicalDid } from "@app-registry/sdk";
import { hashOfDid } from "@app-registry/sdk/internal";
import type { Hex } from "viem";
import { type RememberedAttestation, toKey } from "./rememberedAttestation.ts";
import { OVERDUE_AFTER, type RevalidationStore } from "./revalidationStore.ts";

/**
 * A store for an issuer of one process alone. It ends with the process; the next one reads the chain's events again,
 * and an attestation of a DID that is not registered is known again once it is asked for again.
 *
 * @example
 * const attestations = createMemoryRevalidationStore();
 * const { due } = await attestations.count(Date.now());
 * due; // 0
 */
export function createMemoryRevalidationStore(): RevalidationStore {
  const dids = new Map<Hex, CanonicalDid>();
  const attestations = new Map<string, RememberedAttestation>();
  const hosts = new Map<string, number>();
  let cursor: bigint | undefined;
  let taken = false;
  const isDue = (now: number) => (attestation: RememberedAttestation) =>
    dids.has(attestation.didHash) && attestation.nextCheckAt <= now;

  return {
    async unlessTaken(task) {
      if (taken) return undefined;
      taken = true;
      try {
        return await task();
      } finally {
        taken = false;
      }
    },
    readCursor: async () => cursor,
    writeCursor: async (block) => {
      cursor = block;
    },
    rememberDid: async (did) => void dids.set(hashOfDid(did), did),
    async add(attestation) {
      const present = attestations.get(toKey(attestation));
      if (!present || present.block < attestation.block) attestations.set(toKey(attestation), attestation);
      return present === undefined;
    },
    async remove(key, upTo) {
      const present = attestations.get(toKey(key));
      if (present && present.block <= upTo) attestations.delete(toKey(key));
    },
    save: async (attestation) => {
      if (attestations.has(toKey(attestation))) attestations.set(toKey(attestation), attestation);
    },
    async makeDue({ didHash: hash, except, heldBefore, at }) {
      for (const [key, attestation] of attestations) {
        const { schema, didHash: ofDid, subject, heldAt, nextCheckAt } = attestation;
        if (schema !== "did-ownership" || ofDid !== hash || subject === except || heldAt >= heldBefore)
          continue;
        attestations.set(key, { ...attestation, nextCheckAt: Math.min(nextCheckAt, at) });
      }
    },
    async listDue(now, limit) {
      const due = [...attestations.values()].filter(isDue(now));
      return due
        .sort((a, b) => a.nextCheckAt - b.nextCheckAt)
        .slice(0, limit)
        .flatMap((attestation) => {
          const did = dids.get(attestation.didHash);
          return did === undefined ? [] : { ...attestation, did };
        });
    },
    async takeHost(host, now, until) {
      if ((hosts.get(host) ?? 0) > now) return false;
      hosts.set(host, until);
      return true;
    },
    holdHost: async (host, until) => void hosts.set(host, until),
    hostFreeAt: async (host) => hosts.get(host) ?? 0,
    async count(now) {
      const all = [...attestations.values()];
      return {
        attestations: all.length,
        due: all.filter(isDue(now)).length,
        overdue: all.filter(isDue(now - OVERDUE_AFTER)).length,
        failing: all.filter(({ failedAt }) => failedAt !== undefined).length,
        unanswered: all.filter(({ unanswered }) => unanswered > 0).length,
        unknownDids: all.filter((attestation) => !dids.has(attestation.didHash)).length,
      };
    },
  };
}
