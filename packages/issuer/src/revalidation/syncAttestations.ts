import { getLatestBlockNumber } from "@app-registry/sdk/internal";
import type { IssuerContext } from "../attest/issuerContext.ts";
import { type CheckClock, DAY, scheduleFirstCheck } from "./checkSchedule.ts";
import { type AttestationEvents, readAttestationEvents } from "./readAttestationEvents.ts";
import type { RevalidationStore } from "./revalidationStore.ts";
import { createCheckJob, toJobKey } from "./trackedAttestation.ts";

/** Number of blocks per step. After a restart, the next process continues after the last complete step. */
const BLOCKS_PER_STEP = 50_000n;

/** Number of blocks to read again, because a reorganization may have replaced them. */
const REORG_BLOCKS = 20n;

/**
 * Maximum age of a proof of a DID, a block or a challenge that makes controllers due immediately, in milliseconds. It
 * exceeds a day, because a signed attestation may be submitted up to a day later.
 */
const RECENT_PROOF_AGE = 2 * DAY;

/**
 * Updates the store from the chain: attestations written and revoked since the last call, by any process or by hand,
 * and the DIDs of registered services. A recent proof of a DID makes its other controllers due immediately; a recent
 * block or challenge makes both accounts due.
 * @throws {RpcUnavailableError} if the chain does not respond. The next call continues from there.
 */
export async function syncAttestations(
  context: Pick<IssuerContext, "client" | "issuer" | "publicClient" | "deployment">,
  store: RevalidationStore,
  clock: CheckClock,
): Promise<void> {
  const first = BigInt(context.deployment.deployBlock);
  const [last, cursor] = await Promise.all([getLatestBlockNumber(context), store.readCursor()]);
  const again = cursor === undefined ? first : cursor + 1n - REORG_BLOCKS;
  let fromBlock = again < first ? first : again;
  while (fromBlock <= last) {
    const end = fromBlock + BLOCKS_PER_STEP - 1n;
    const toBlock = end < last ? end : last;
    await saveAttestationEvents(await readAttestationEvents(context, { fromBlock, toBlock }), store, clock);
    await store.writeCursor(toBlock);
    fromBlock = toBlock + 1n;
  }
}

async function saveAttestationEvents(
  { attestations, registeredDids, disputes }: AttestationEvents,
  store: RevalidationStore,
  clock: CheckClock,
): Promise<void> {
  for (const did of registeredDids) await store.saveDid(did);
  const newcomers: Parameters<RevalidationStore["listOthers"]>[0][] = [];
  for (const { statedAt, expiresAt, ...attestation } of attestations) {
    if (expiresAt === undefined) {
      if (await store.remove(attestation, attestation.block)) await store.queue.remove(toJobKey(attestation));
      continue;
    }
    const known = await store.find(attestation);
    if (known && known.block >= attestation.block) continue;
    const heldAt = statedAt * 1_000;
    // Enqueue first: if the process ends before `add`, the next one reads the event again.
    await store.queue.enqueue([
      createCheckJob(attestation, scheduleFirstCheck(heldAt, expiresAt * 1_000, clock)),
    ]);
    await store.add({ ...attestation, heldAt, failedAt: undefined });
    if (known || attestation.schema !== "did-ownership" || clock.now - heldAt > RECENT_PROOF_AGE) continue;
    const { didHash, subject } = attestation;
    newcomers.push({ didHash, except: subject, heldBefore: heldAt });
  }
  for (const newcomer of newcomers) {
    const others = await store.listOthers(newcomer);
    await store.queue.enqueue(others.map((key) => createCheckJob(key, clock.now)));
  }
  for (const { didHash, accounts, at } of disputes) {
    if (clock.now - at * 1_000 > RECENT_PROOF_AGE) continue;
    for (const subject of accounts) {
      const key = { schema: "did-ownership", didHash, subject } as const;
      const known = await store.find(key);
      // Skip an event that a check has followed, because the same event is read several times.
      const isDue = known && Math.max(known.heldAt, known.failedAt ?? 0) < at * 1_000;
      if (isDue) await store.queue.enqueue([createCheckJob(key, clock.now)]);
    }
  }
}
