import type { Actors } from "./actors.ts";
import { testData } from "./actors.ts";

/** Action with its relative frequency. */
export type Action = [weight: number, act: (actors: Actors) => Promise<void>];

const { dids, wallets } = testData;

/** Actions of holders and minters on their records. */
export const recordActions: Action[] = [
  [
    8,
    async ({ client, random, send, latestMajor, release }) => {
      const did = random.pick(dids);
      const major = (await latestMajor(did)) + 1;
      if (major < 5)
        await send(random.pick(wallets), client.prepareMint(release(did, { major, minor: 0, patch: 0 })));
    },
  ],
  [
    14,
    async ({ client, random, send, release, recordOf }) => {
      const record = await recordOf(random.pick(dids));
      if (!record) return;
      const { major, minor, patch } = record.latestVersion;
      const isMinor = random.chance(0.5);
      const version = { major, minor: isMinor ? minor + 1 : minor, patch: isMinor ? 0 : patch + 1 };
      const { interfaces, dataUrl, traitHashes, ...update } = release(record.did, version);
      const call = client.prepareUpdateAppControlled({
        ...update,
        ...(isMinor && { interfaces: interfaces | record.interfaces }),
        ...(random.chance(0.7) && { dataUrl }),
        ...(random.chance(0.7) && { traitHashes }),
      });
      await send(random.pick([record.minter, record.owner]), call);
    },
  ],
  [
    5,
    async ({ client, random, send, recordOf }) => {
      const record = await recordOf(random.pick(dids));
      if (!record) return;
      const { did, versionMajor: major, owner } = record;
      await send(owner, client.prepareUpdateStatus({ did, major, status: random.pick([0, 1, 2]) }));
    },
  ],
  [
    4,
    async ({ client, random, send, recordOf }) => {
      const record = await recordOf(random.pick(dids));
      if (!record) return;
      const { owner: from, tokenId } = record;
      await send(from, client.prepareTransfer({ from, to: random.pick(wallets), tokenId }));
    },
  ],
  [
    3,
    async ({ client, random, send, recordOf, jsons }) => {
      const record = await recordOf(random.pick(dids));
      const metadataJson = record && jsons.get(record.dataHash);
      if (!metadataJson) return;
      const { did, versionMajor: major, minter } = record;
      await send(minter, client.prepareRepublishMetadata({ did, major, metadataJson }));
    },
  ],
];
