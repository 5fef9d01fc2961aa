import { createMemoryJobQueue } from "@app-registry/outbound/internal";
import type { CanonicalDid } from "@app-registry/sdk";
import { hashCanonicalDid } from "@app-registry/sdk/internal";
import type { Hex } from "viem";
import type { RevalidationStore } from "./revalidationStore.ts";
import { type AttestationKey, type TrackedAttestation, toJobKey } from "./trackedAttestation.ts";

/**
 * Creates an in-memory store for an issuer with only one process. The next process reads the chain's events again. It
 * learns the DID of an attestation when the DID is registered or requested again.
 *
 * @example
 * const attestations = createMemoryRevalidationStore();
 * const { unknownDids } = await attestations.count();
 * unknownDids; // 0
 */
export function createMemoryRevalidationStore(): RevalidationStore {
  const dids = new Map<Hex, CanonicalDid>();
  const attestations = new Map<string, TrackedAttestation>();
  let cursor: bigint | undefined;
  let taken = false;
  const getName = (key: AttestationKey) => Object.values(toJobKey(key)).join(" ");

  return {
    queue: createMemoryJobQueue(),
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
    saveDid: async (did) => void dids.set(hashCanonicalDid(did), did),
    add: async (attestation) => void attestations.set(getName(attestation), attestation),
    async find(key) {
      const present = attestations.get(getName(key));
      return present && { ...present, did: dids.get(present.didHash) };
    },
    async remove(key, upTo) {
      const present = attestations.get(getName(key));
      if (present && present.block > upTo) return false;
      attestations.delete(getName(key));
      return true;
    },
    save: async (attestation) => {
      if (attestations.has(getName(attestation))) attestations.set(getName(attestation), attestation);
    },
    listOthers: async ({ didHash: hash, except, heldBefore }) =>
      [...attestations.values()].filter(
        ({ schema, didHash, subject, heldAt }) =>
          schema === "did-ownership" && didHash === hash && subject !== except && heldAt < heldBefore,
      ),
    async count() {
      const all = [...attestations.values()];
      return {
        attestations: all.length,
        failing: all.filter(({ failedAt }) => failedAt !== undefined).length,
        unknownDids: all.filter(({ didHash }) => !dids.has(didHash)).length,
      };
    },
  };
}
