import { getLatestBlockNumber } from "@app-registry/sdk/internal";
import type { IssuerContext } from "../issuerContext.ts";
import { type CheckClock, scheduleFirstCheck } from "./checkSchedule.ts";
import { type AttestationEvents, readAttestationEvents } from "./readAttestationEvents.ts";
import type { RevalidationStore } from "./revalidationStore.ts";
import { createCheckJob, toJobKey } from "./trackedAttestation.ts";

/** Blocks of one step; a process that ends in between goes on behind the last one. */
const BLOCKS_PER_STEP = 50_000n;

/** Blocks that are read again, for those that a reorganisation put in others' place. */
const REORG_BLOCKS = 20n;

/**
 * Age up to which a proof of a DID, a block or a challenge makes the controllers due at once, in milliseconds. What an
 * issuer signed may be sent a day later.
 */
const RECENT_PROOF_AGE = 2 * 86_400_000;

/**
 * Brings what the chain says of the issuer's attestations into the store: those written and revoked since the last
 * time, by whichever process or by hand, and the DIDs of registered services. A recent proof of a DID makes its other
 * controllers due at once; a recent block or challenge makes both its accounts due.
 * @throws RpcUnavailableError when the chain does not answer; the next call goes on where this one was.
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
    // A process that ends between these two reads the event once more.
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
      // The same event is read several times, and asks for one check.
      const isDue = known && Math.max(known.heldAt, known.failedAt ?? 0) < at * 1_000;
      if (isDue) await store.queue.enqueue([createCheckJob(key, clock.now)]);
    }
  }
}
