import { didHash } from "@app-registry/sdk";
import type { Address } from "viem";
import { type Actors, IssuerStatus, testData } from "./actors.ts";
import type { Action } from "./recordActions.ts";

const { dids, wallets, dataHashes, owner } = testData;
const { active, retired, distrusted } = IssuerStatus;

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Fewest active issuers. A retired or distrusted address can't become active again. */
const FEWEST_ISSUERS = 4;

/** Returns the longest expiry (0) for half of the attestations, otherwise one in two hours to ten days. */
const someExpiry = async ({ random, now }: Actors) =>
  random.chance(0.5) ? 0n : BigInt((await now()) + 2 * HOUR + random.below(10 * DAY));

/** Actions of issuers, controllers and the resolver's owner. */
export const controlActions: Action[] = [
  [
    8,
    async (actors) => {
      const { random, attest } = actors;
      await attest(random.pick(dids), random.pick(wallets), undefined, await someExpiry(actors));
    },
  ],
  [
    3,
    async ({ random, resolve, issuersThatAre }) => {
      const { issuer } = random.pick(await issuersThatAre(active, retired));
      await resolve(issuer, "revokeDID", [didHash(random.pick(dids)), random.pick(wallets)]);
    },
  ],
  [
    4,
    async (actors) => {
      const { random, anActiveIssuer, submit } = actors;
      const isOfDid = random.chance(0.7);
      const subject = random.pick(isOfDid ? wallets : dataHashes);
      const verb = random.chance(0.7) ? "Attest" : "Revoke";
      const primaryType = `${verb}${isOfDid ? "DID" : "DataHash"}` as const;
      const expiresAt = await someExpiry(actors);
      const age = random.pick([0, random.below(HOUR), random.below(DAY)]);
      const statement = { primaryType, value: subject, expiresAt, age };
      await submit(await anActiveIssuer(), random.pick(dids), statement);
    },
  ],
  [
    4,
    async (actors) => {
      const { random, resolve, anActiveIssuer } = actors;
      const [issuer, did, dataHash] = [await anActiveIssuer(), random.pick(dids), random.pick(dataHashes)];
      if (random.chance(0.3)) await resolve(issuer, "revokeDataHash", [didHash(did), dataHash]);
      else await resolve(issuer, "attestDataHash", [didHash(did), dataHash, await someExpiry(actors)]);
    },
  ],
  [
    1,
    async ({ random, resolve, anActiveIssuer }) => {
      const issuer = await anActiveIssuer();
      const batch = [0, 1, 2].map(() => ({
        ...{ didHash: didHash(random.pick(dids)), controller: random.pick(wallets), expiresAt: 0n },
      }));
      if (random.chance(0.7)) await resolve(issuer, "attestDIDBatch", [batch]);
      else await resolve(issuer, "revokeDIDBatch", [batch]);
    },
  ],
  [10, newcomer],
  [
    4,
    async ({ resolve, blockedFor, controllersOf }) => {
      for (const did of dids) {
        const [[account], [author]] = [await blockedFor(did), await controllersOf(did)];
        if (!account || !author) continue;
        await resolve(author, "unblockController", [didHash(did), account]);
        return;
      }
    },
  ],
  [
    1,
    async ({ random, register, recordOf }) => {
      const record = await recordOf(random.pick(dids));
      if (!record) return;
      const { did, versionMajor: major, owner: holder, minter } = record;
      await register(random.pick([holder, minter]), "dismissReclaims", [did, major]);
    },
  ],
  [3, challenge],
  [3, reclaim],
  [4, ({ random, pass }) => pass(random.below(random.chance(0.1) ? 12 * DAY : 2 * DAY))],
  [
    2,
    async ({ haveIssuers, issuersThatAre }) =>
      void (await haveIssuers((await issuersThatAre(active)).length + 1)),
  ],
  [
    1,
    async ({ random, resolve, issuersThatAre }) => {
      const issuers = await issuersThatAre(active);
      if (issuers.length > FEWEST_ISSUERS)
        await resolve(owner, "retireIssuer", [random.pick(issuers).issuer]);
    },
  ],
  [2, distrust],
  [3, endByOwner],
];

/** Attests a new account, or not, and blocks it or extends its block as a controller. */
async function newcomer(actors: Actors) {
  const { random, resolve, attest, now, controllersOf } = actors;
  const [did, account] = [random.pick(dids), random.pick(wallets)];
  if (random.chance(0.7)) await attest(did, account, undefined, await someExpiry(actors));
  const others = (await controllersOf(did)).filter((wallet) => wallet !== account);
  if (others.length === 0 || random.chance(0.3)) return;
  const until = BigInt((await now()) + HOUR + random.below(29 * DAY));
  const [by, pair] = [random.pick(others), { didHash: didHash(did), account }];
  if (random.chance(0.7)) await resolve(by, "blockController", [pair.didHash, account, until]);
  else await resolve(by, "blockControllerBatch", [[{ ...pair, until }]]);
}

/** Challenges a controller of one or two issuers by one of two issuers. */
async function challenge({ random, resolve, pass, attest, haveIssuers }: Actors) {
  const did = random.pick(dids);
  const [incumbent, challenger] = random.pick([wallets.slice(0, 2), wallets.slice(2, 4)]) as [
    Address,
    Address,
  ];
  const [first, second] = (await haveIssuers(2)) as [Address, Address];
  await attest(did, incumbent, first);
  await attest(did, challenger, first);
  await attest(did, challenger, second);
  if (random.chance(0.5)) await resolve(second, "revokeDID", [didHash(did), incumbent]);
  await pass(DAY);
  await resolve(challenger, "challengeDID", [didHash(did), incumbent]);
  if (random.chance(0.3)) return;
  await pass(7 * DAY + random.below(6 * DAY));
  const by = random.pick(wallets);
  await resolve(by, "resolveChallenge", [didHash(did), incumbent, challenger]);
}

/** Takes the DID from minter and holder. Two other controllers open reclaims, and one of them or none finishes. */
async function reclaim(actors: Actors) {
  const { client, random, send, resolve, register, pass, attest, release } = actors;
  const { attestersOf, haveIssuers, issuersThatAre, recordOf } = actors;
  const record = await recordOf(random.pick(dids));
  if (!record) return;
  const { did, versionMajor: major, owner: holder, minter } = record;
  const claimants = wallets.filter((wallet) => wallet !== holder && wallet !== minter).slice(0, 2);
  const [issuer] = await haveIssuers(2);
  for (const claimant of claimants) await attest(did, claimant, issuer);
  const inactive = (await issuersThatAre(distrusted)).map(({ issuer: by }) => by);
  for (const controller of [holder, minter]) {
    for (const by of await attestersOf(did, controller)) {
      if (inactive.includes(by)) await resolve(owner, "endDIDAttestation", [didHash(did), controller, by]);
      else await resolve(by, "revokeDID", [didHash(did), controller]);
    }
  }
  // Lost control keeps a standing for a week.
  await pass(8 * DAY);
  for (const claimant of claimants) await register(claimant, "openReclaim", [did, major]);
  if (random.chance(0.4)) return;
  await pass(31 * DAY);
  for (const claimant of claimants) await attest(did, claimant, issuer);
  if (random.chance(0.3)) claimants.reverse();
  for (const claimant of claimants) await register(claimant, "finishReclaim", [did, major]);
  const { interfaces: _keep, ...update } = release(did, { major, minor: 0, patch: 1 + random.below(9) });
  await send(claimants[0] as Address, client.prepareUpdateAppControlled(update));
}

/** Distrusts an issuer since some hours ago, or moves an earlier distrust back. */
async function distrust({ random, resolve, now, issuersThatAre }: Actors) {
  const issuers = await issuersThatAre(active, retired, distrusted);
  const { issuer, status, distrustedSince } = random.pick(issuers);
  if (status === active && (await issuersThatAre(active)).length <= FEWEST_ISSUERS) return;
  const latest = status === distrusted ? Number(distrustedSince) - 1 : await now();
  const since = random.chance(0.1) ? 0 : Math.max(1, latest - random.below(3 * DAY));
  await resolve(owner, "distrustIssuer", [issuer, BigInt(since)]);
}

/** Ends statements of inactive issuers about a DID's controllers and dataHashes, as the owner. */
async function endByOwner({ random, resolve, issuersThatAre, attestersOf }: Actors) {
  const inactive = (await issuersThatAre(retired, distrusted)).map(({ issuer }) => issuer);
  const did = random.pick(dids);
  for (const wallet of wallets) {
    const issuer = (await attestersOf(did, wallet)).find((attester) => inactive.includes(attester));
    if (issuer && random.chance(0.3))
      await resolve(owner, "endDIDAttestation", [didHash(did), wallet, issuer]);
  }
  for (const issuer of inactive) {
    const hash = random.pick(dataHashes);
    if (random.chance(0.2)) await resolve(owner, "endDataHashAttestation", [didHash(did), hash, issuer]);
  }
}
