import { expect } from "chai";
import { id } from "ethers";
import {
  CHALLENGE_PERIOD,
  createResolverSuite,
  DAY,
  dataHash,
  didHash,
  HOUR,
  MATURATION,
} from "./fixture.ts";

const { time, networkHelpers, load } = await createResolverSuite();

const SEEDS = Array.from({ length: process.env.TEST_LONG ? 100 : 3 }, (_, index) => index + 1);
const STEPS = 60;

/** Returns a generator of repeatable random numbers (mulberry32). */
function randomness(seed: number) {
  let state = seed;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return { below, oneOf: <T>(items: readonly T[]) => items[below(items.length)] as T };
}

type Loaded = Awaited<ReturnType<typeof load>>;
type Account = Loaded["first"];

/** Expects that all views of one account are consistent. Returns `check`, true if it controls the DID. */
async function expectAgreement({ resolver }: Loaded, account: Account) {
  const [check, view, runs, block, score, resists, claimedAt, now] = await Promise.all([
    resolver.checkDID(didHash, account),
    resolver.getController(didHash, account),
    resolver.getDIDAttestations(didHash, account),
    resolver.getBlock(didHash, account),
    resolver.ownershipScore(didHash, account),
    resolver.resistsReclaim(didHash, account),
    resolver.claimedAt(didHash),
    time.latest(),
  ]);
  const has = (is: (run: (typeof runs)[number]) => boolean) => runs.some(is);
  expect(view.controls).to.equal(check);
  expect(check).to.equal(has(({ matured, blocked }) => matured && !blocked));
  expect(view.inCharge).to.equal(has(({ matured, overdue, blocked }) => (matured || overdue) && !blocked));
  expect(view.attested).to.equal(has(({ live }) => live));
  expect(view.score)
    .to.equal(score)
    .and.to.equal(runs.filter(({ matured }) => matured).length);
  if (score > 0n && !check) expect(view.blockedUntil > 0n || view.inCharge).to.equal(true);
  expect(view.resistance).to.be.at.least(runs.filter(({ live, overdue }) => live || overdue).length);
  expect(view.resistance).to.be.at.least(view.score);
  if (check) {
    expect([view.inCharge, view.attested, resists]).to.deep.equal([true, true, true]);
    expect(view.blockedUntil).to.equal(0n);
    expect(view.resistance).to.be.greaterThan(0n);
    expect(claimedAt).to.be.greaterThan(0n);
  }
  if (view.inCharge) expect([resists, view.blockedUntil]).to.deep.equal([true, 0n]);
  if (resists) expect(view.resistance).to.be.greaterThan(0n);
  if (view.blockedUntil > 0n) expect(view.blockedUntil).to.equal(block.blockedUntil);
  if (has(({ blocked }) => blocked)) expect(block.blockedUntil).to.be.greaterThan(0n);
  for (const { matured, live, overdue, endedAt, startedAt, maturesAt, expiresAt, blocked } of runs) {
    if (matured) expect(live && maturesAt <= now + 1).to.equal(true);
    if (overdue) expect([live, endedAt]).to.deep.equal([false, 0n]);
    if (startedAt > 0n) expect(startedAt <= maturesAt && maturesAt < expiresAt).to.equal(true);
    if (blocked) expect(maturesAt).to.be.greaterThan(block.blockedAt);
  }
  return { check, controlsFrom: Number(view.controlsFrom) };
}

/** Expects that the views of issuers and of challenges are consistent. */
async function expectOthersAgree({ resolver }: Loaded, accounts: Account[]) {
  const issuers = await resolver.getIssuers();
  for (const view of issuers) {
    expect(await resolver.getIssuer(view.issuer)).to.deep.equal(view);
    expect(await resolver.isIssuer(view.issuer)).to.equal(view.status === 1n);
    if (view.distrustedSince > 0n) expect(view.status).to.equal(3n);
  }
  const listed = issuers.map(({ issuer }) => issuer);
  for (const incumbent of accounts) {
    const stated = await resolver.getDIDAttestations(didHash, incumbent);
    expect(listed).to.include.members(stated.map(({ issuer }) => issuer));
    for (const challenger of accounts) {
      const window = await resolver.getChallenge(didHash, incumbent, challenger);
      const { openedAt, resolvableFrom, expiresAt } = window;
      const length = openedAt > 0n ? BigInt(CHALLENGE_PERIOD) : 0n;
      expect([resolvableFrom, expiresAt]).to.deep.equal([openedAt + length, openedAt + 2n * length]);
      if (openedAt > 0n) expect(expiresAt).to.be.greaterThan(await time.latest());
      if (incumbent === challenger) expect(openedAt).to.equal(0n);
    }
  }
}

/** Expects that the account controls the DID exactly from `controlsFrom` on, if nobody acts. */
async function expectAnnouncements({ resolver }: Loaded, account: Account) {
  const { controls, controlsFrom } = await resolver.getController(didHash, account);
  if (controls) return;
  const snapshot = await networkHelpers.takeSnapshot();
  const dates = controlsFrom > 0n ? [[controlsFrom - 1n, false] as const, [controlsFrom, true] as const] : [];
  for (const [date, expected] of dates) {
    if (date <= (await time.latest())) continue;
    await time.increaseTo(date);
    expect(await resolver.checkDID(didHash, account)).to.equal(expected);
  }
  if (controlsFrom === 0n) {
    for (let day = 0; day < 45; day += 3) {
      await time.increase(3 * DAY);
      expect(await resolver.checkDID(didHash, account)).to.equal(false);
    }
  }
  await snapshot.restore();
}

describe("Views of a resolver", () => {
  for (const seed of SEEDS) {
    it(`agree with one another after every step of history ${seed}`, async function () {
      this.timeout(600_000);
      const suite = await load();
      const { resolver, issuer, issuer2, issuer3, first, second, third } = suite;
      const { below, oneOf } = randomness(seed);
      const accounts = [first, second, third];
      const now = () => time.latest();
      let agreed = 0;
      const actions = [
        async () => {
          const lifetime = oneOf([0, HOUR, 3 * DAY, 6 * DAY, 12 * DAY, 20 * DAY]);
          const expiresAt = lifetime && (await now()) + 1 + lifetime;
          await resolver
            .connect(oneOf([issuer, issuer2, issuer3]))
            .attestDID(didHash, oneOf(accounts), expiresAt);
        },
        () => resolver.connect(oneOf([issuer, issuer2, issuer3])).revokeDID(didHash, oneOf(accounts)),
        async () => {
          const until = (await now()) + 1 + oneOf([HOUR, 3 * DAY, 10 * DAY, 30 * DAY]);
          await resolver.connect(oneOf(accounts)).blockController(didHash, oneOf(accounts), until);
        },
        () => resolver.connect(oneOf(accounts)).unblockController(didHash, oneOf(accounts)),
        () => resolver.connect(oneOf(accounts)).challengeDID(didHash, oneOf(accounts)),
        () => resolver.resolveChallenge(didHash, oneOf(accounts), oneOf(accounts)),
        async () => {
          // Distrust issuers rarely: a distrusted issuer can't state anything for the rest of the history.
          if (below(12) > 0) return;
          await resolver.distrustIssuer(oneOf([issuer, issuer2]), (await now()) - below(5 * DAY));
        },
        () => resolver.endDIDAttestation(didHash, oneOf(accounts), oneOf([issuer, issuer2])),
        () => resolver.connect(issuer3).attestDataHash(didHash, dataHash, 0),
        () => resolver.connect(issuer3).revokeDataHash(didHash, dataHash),
      ];
      for (let step = 0; step < STEPS; step++) {
        // Every second action is an attestation, which most of the rules concern.
        const action = below(2) === 0 ? (actions[0] as () => Promise<unknown>) : oneOf(actions);
        await action().catch(() => undefined);
        await time.increase(oneOf([1, HOUR, DAY, MATURATION, CHALLENGE_PERIOD]));
        for (const account of accounts) {
          if ((await expectAgreement(suite, account)).check) agreed++;
        }
        await expectOthersAgree(suite, accounts);
        if (step % 6 === 0) for (const account of accounts) await expectAnnouncements(suite, account);
        const documents = await resolver.getDataHashAttestations(didHash, dataHash);
        expect(await resolver.checkDataHashAttestation(didHash, dataHash)).to.equal(
          documents.some(({ live }) => live),
        );
        expect(documents.some(({ overdue, blocked }) => overdue || blocked)).to.equal(false);
      }
      expect(agreed).to.be.greaterThan(0);
      expect(await resolver.claimedAt(id("did:web:never.example"))).to.equal(0);
    });
  }
});
