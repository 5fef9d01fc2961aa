import { expect } from "chai";
import { DID } from "../registry/fixture.ts";
import { SEED } from "../seed.ts";
import { type Account, createWorld, days, GRACE, hours, MATURATION, type World } from "./world.ts";

const { load, takeSnapshot } = await createWorld();

const SEEDS = Array.from({ length: process.env.TEST_LONG ? 6 : 1 }, (_, index) => SEED + 1 + index);
const ACTIONS = 60;

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
type Randomness = ReturnType<typeof randomness>;
type Action = () => Promise<unknown>;

/** Tries an action, and returns true if it succeeded. Most attacks are refused. */
const attempt = (action: Action) =>
  action().then(
    () => true,
    () => false,
  );

/** Returns statements of issuers about accounts, direct ones and signatures that are dated back. */
function listStatements(w: World, random: Randomness, issuers: Account[], accounts: Account[]): Action[] {
  const issuer = random.oneOf(issuers);
  const account = random.oneOf(accounts);
  const datedBack = random.below(hours(24));
  const lifetime = random.oneOf([1, hours(1), hours(47), days(3), days(30), days(300)]);
  return [
    () => w.attests(issuer, account),
    () => w.attests(issuer, account, { for: lifetime }),
    () => w.revokes(issuer, account),
    () => w.inBatch(issuer, "attestDIDBatch", ...accounts),
    () => w.inBatch(issuer, "revokeDIDBatch", account),
    async () => (await w.signs(issuer, "AttestDID", account, { datedBack }))(),
    async () => (await w.signs(issuer, "AttestDID", account, { datedBack, for: days(1) }))(),
    async () => (await w.signs(issuer, "RevokeDID", account, { datedBack }))(),
  ];
}

/** Returns blocks, challenges and reclaims of accounts against each other. */
function listActs(w: World, random: Randomness, actors: Account[], accounts: Account[]): Action[] {
  const actor = random.oneOf(actors);
  const account = random.oneOf(accounts);
  return [
    () => w.blocks(actor, account),
    () => w.unblocksAs(actor, account),
    () => w.challenges(actor, account),
    () => w.resolves(actor, account),
    () => w.opensReclaim(actor),
    () => w.finishesReclaim(actor),
  ];
}

/** Returns actions of an account on the DID's records. */
function listRecordActs(w: World, random: Randomness, actor: Account): Action[] {
  const major = random.below(3);
  return [
    () => w.mints(actor, [major, 255, 255]),
    () => w.updates(actor, [major, 255, 255]),
    () => w.dismissesReclaims(actor, major),
    () => w.registry.connect(actor).updateStatus(DID, major, random.below(3)),
    () => w.opensReclaim(actor, major),
    () => w.finishesReclaim(actor, major),
  ];
}

/** Lets two issuers attest a challenger, which opens its challenge and resolves it when it can. */
async function besieges(w: World, challenger: Account, incumbent: Account) {
  for (const issuer of [w.ben, w.cleo]) await attempt(() => w.attests(issuer, challenger));
  await attempt(() => w.challenges(challenger, incumbent));
  await w.passes(days(7));
  await w.resolves(challenger, incumbent);
}

for (const seed of SEEDS) {
  describe(`Promises of docs/control.md, against ${ACTIONS} random hostile actions (seed ${seed})`, () => {
    // @threat contracts: Change another issuer's statement
    it("no issuer can change another issuer's statements", async () => {
      const w = await load();
      const random = randomness(seed);
      const accounts = Object.values(w.people);
      for (const account of accounts) await w.attests(w.ada, account, { for: days(100 + random.below(200)) });
      await w.revokes(w.ada, w.seller);
      const statedByAda = () =>
        Promise.all(
          accounts.map(async (account) => {
            const stated = await w.resolver.getDIDAttestations(w.did, account);
            const { startedAt, statedAt, maturesAt, expiresAt, endedAt } =
              stated.find(({ issuer }) => issuer === w.ada.address) ?? {};
            return [startedAt, statedAt, maturesAt, expiresAt, endedAt];
          }),
        );
      const before = await statedByAda();
      for (let count = 0; count < ACTIONS; count++) {
        await attempt(random.oneOf(listStatements(w, random, [w.ben, w.cleo], accounts)));
        await w.passes(random.below(days(2)) + 1);
        expect(await statedByAda()).to.deep.equal(before);
      }
    });

    // @threat contracts: Gain or regain control before the attestation matures
    it("an account controls a claimed DID only after its attestation was in place for the maturation", async () => {
      const w = await load();
      const random = randomness(seed);
      const accounts = [w.publisher, w.partner, w.seller, w.thief];
      const issuers = [w.ada, w.ben, w.cleo];
      await w.attests(w.ada, w.publisher);
      const claimedAt = BigInt(await w.now());
      /** Time at which each account was last seen without a live or overdue run. */
      const strangerAt = new Map<string, number>();
      let counted = 0;
      for (let count = 0; count < ACTIONS; count++) {
        const statements = listStatements(w, random, issuers, accounts);
        const acts = listActs(w, random, accounts, accounts);
        const siege = () => besieges(w, random.oneOf(accounts), random.oneOf(accounts));
        await attempt(random.oneOf([...statements, ...acts, siege]));
        if (random.below(2) === 0) await w.passes(random.below(days(4)) + 1);
        for (const account of accounts) {
          const { controls, attested, inCharge } = await w.resolver.getController(w.did, account);
          if (!attested && !inCharge) strangerAt.set(account.address, await w.now());
          if (!controls) continue;
          const stated = await w.resolver.getDIDAttestations(w.did, account);
          const ready = stated.filter(({ matured, blocked }) => matured && !blocked);
          expect(ready.length).to.be.greaterThan(0);
          counted++;
          const now = await w.now();
          const isFirst = ready.some(({ startedAt }) => startedAt === claimedAt);
          const isInPlace = ready.some(({ startedAt }) => Number(startedAt) + MATURATION <= now);
          const wasStranger = strangerAt.get(account.address) ?? 0;
          expect(isFirst || (isInPlace && wasStranger + MATURATION <= now)).to.equal(true);
        }
      }
      expect(counted).to.be.greaterThan(0);
    });

    // @threat contracts: Make distrust hit everybody or spare the thief, or use what it does not undo
    it("distrust since the theft of a key, less than a maturation ago, restores all answers", async () => {
      const w = await load();
      const random = randomness(seed);
      const accounts = Object.values(w.people);
      for (let count = 0; count < ACTIONS / 2; count++) {
        const statements = listStatements(w, random, [w.ada, w.ada, w.ben], accounts);
        await attempt(random.oneOf([...statements, ...listActs(w, random, accounts, accounts)]));
        await w.passes(random.below(days(3)) + 1);
      }
      await attempt(() => w.attests(w.ada, w.publisher));
      const stolenAt = (await w.now()) + 1;
      const noticedAt = stolenAt + MATURATION - 1;
      const passesUntil = async (timestamp: number) => w.passes(timestamp - (await w.now()));
      const statedByAda = () =>
        Promise.all(
          accounts.map(async (account) => {
            const stated = await w.resolver.getDIDAttestations(w.did, account);
            const { startedAt = 0n, expiresAt = 0n } =
              stated.find(({ issuer }) => issuer === w.ada.address) ?? {};
            return { startedAt, expiresAt };
          }),
        );
      const answers = () =>
        Promise.all(
          accounts.map(async (account) => {
            const [view, controls, score, resists, block] = await Promise.all([
              w.resolver.getController(w.did, account),
              w.controls(account),
              w.score(account),
              w.resists(account),
              w.resolver.getBlock(w.did, account),
            ]);
            const { inCharge, attested, controlsFrom, blockedUntil, resistance } = view;
            const ofView = { inCharge, attested, controlsFrom, blockedUntil, resistance };
            return { ...ofView, controls, score, resists, block: [...block] };
          }),
        );
      /** Returns the answers when the theft is noticed, and when the thief's attestations would have matured. */
      async function answersTwice() {
        await passesUntil(noticedAt);
        const first = await answers();
        await w.passes(MATURATION);
        return [first, await answers()];
      }

      const snapshot = await takeSnapshot();
      const before = await statedByAda();
      const withoutTheft = await answersTwice();
      await snapshot.restore();
      await w.nextAt(stolenAt);
      for (let count = 0; count < ACTIONS / 2; count++) {
        await attempt(random.oneOf(listStatements(w, random, [w.ada], accounts)));
        if ((await w.now()) + hours(4) < noticedAt) await w.passes(random.below(hours(3)) + 1);
      }
      const after = await statedByAda();
      await w.distrusts(w.ada, stolenAt);
      for (const [time, restored] of (await answersTwice()).entries()) {
        for (const [index, actual] of restored.entries()) {
          const expected = withoutTheft[time]?.[index] ?? actual;
          const [old, now] = [before[index], after[index]];
          const isLengthened = old?.startedAt === now?.startedAt && old?.expiresAt !== now?.expiresAt;
          // A run that the thief extended lasts for 30 days, even if it was overdue at the theft.
          if (isLengthened) {
            if (expected.controls) expect(actual.controls).to.equal(true);
            continue;
          }
          // If the thief replaces a revoked run, that run no longer resists.
          const isOverwritten = old?.startedAt !== 0n && old?.startedAt !== now?.startedAt;
          const { resistance, resists } = isOverwritten ? actual : expected;
          expect(actual).to.deep.equal({ ...expected, resistance, resists });
        }
      }
    });

    // @threat contracts: Use the gap before a late renewal
    it("a publisher whose renewal is overdue by less than the grace loses nothing", async () => {
      const w = await load();
      const random = randomness(seed);
      await w.attests(w.ada, w.publisher, { for: days(30) });
      await w.mints(w.publisher);
      await w.matures(w.partner, w.cleo);
      await w.passes(days(26));
      expect(await w.controls(w.publisher)).to.equal(false);
      const hostile = [w.partner, w.stranger, w.thief, w.friend];
      for (let count = 0; count < ACTIONS; count++) {
        const statements = listStatements(w, random, [w.ben, w.cleo], [...hostile, w.publisher]);
        const acts = listActs(w, random, hostile, [w.publisher, ...hostile]);
        await attempt(random.oneOf([...statements, ...acts]));
        await w.passes(random.below((days(7) / ACTIONS) | 0) + 1);
        expect(await w.resistance(w.publisher)).to.be.greaterThan(0n);
      }
      await w.attests(w.ada, w.publisher);
      expect(await w.controls(w.publisher)).to.equal(true);
      const { blockedUntil } = await w.resolver.getController(w.did, w.publisher);
      expect(blockedUntil).to.equal(0n);
      await w.updates(w.publisher, [1, 0, 1]);
    });

    // @threat contracts: Overrule a block, or wait under it until the publisher moves
    it("a block in time by a publisher with one issuer can't be overruled within a week", async () => {
      const w = await load();
      const random = randomness(seed);
      await w.matures(w.publisher, w.ada);
      await w.matures(w.partner, w.ben);
      const hijackers = [w.thief, w.stranger];
      for (const hijacker of hijackers) await w.attests(w.cleo, hijacker);
      const hijackedAt = await w.now();
      await w.passes(random.below(hours(47)));
      for (const hijacker of hijackers) await w.blocks(w.publisher, hijacker);
      while ((await w.now()) < hijackedAt + days(7) - hours(6)) {
        const statements = listStatements(w, random, [w.ben, w.cleo], [...hijackers, w.partner]);
        const acts = listActs(w, random, hijackers, [w.publisher, ...hijackers]);
        await attempt(random.oneOf([...statements, ...acts]));
        await w.passes(random.below(hours(4)) + 1);
        for (const hijacker of hijackers) expect(await w.controls(hijacker)).to.equal(false);
        expect(await w.controls(w.publisher)).to.equal(true);
      }
    });

    // @threat contracts: Block longer, earlier or wider than allowed
    it("a griefer has no effect for more than 30 days and the grace after its last attestation ended", async () => {
      const w = await load();
      const random = randomness(seed);
      const griefers = [w.seller, w.thief, w.stranger];
      await w.attests(w.ada, w.seller);
      await w.mints(w.seller, [1, 255, 255]);
      await w.matures(w.publisher, w.ada, w.ben);
      await w.matures(w.thief, w.cleo);
      /** Makes one random call of a griefer, and returns true if it succeeded. */
      async function grieves() {
        const actor = random.oneOf(griefers);
        const seconds = days(1 + random.below(400));
        const acts = [
          () => w.blocks(actor, random.oneOf([w.publisher, w.partner, ...griefers]), seconds),
          ...listActs(w, random, [actor], [w.publisher, w.partner, ...griefers]),
          ...listRecordActs(w, random, actor),
        ];
        const isDone = await attempt(random.oneOf(acts));
        await attempt(() => w.registry.connect(actor).transferFrom(actor, random.oneOf(griefers), 1));
        await w.passes(random.below(hours(12)) + 1);
        return isDone;
      }
      for (let count = 0; count < ACTIONS; count++) {
        await grieves();
        await attempt(random.oneOf(listStatements(w, random, [w.cleo], griefers)));
      }
      await attempt(() => w.blocks(w.seller, w.partner));
      expect((await w.resolver.getController(w.did, w.partner)).blockedUntil).to.be.greaterThan(0n);
      await w.distrusts(w.cleo, 0);
      await w.revokes(w.ada, w.seller);
      const endedAt = await w.now();
      await w.attests(w.ben, w.partner);

      while ((await w.now()) < endedAt + GRACE - hours(13)) expect(await grieves()).to.equal(false);
      const majors = [];
      for (let major = 0; major < 3; major++)
        if ((await w.registry.tokenIdOf(DID, major)) !== 0n) majors.push(major);
      await w.nextAt(endedAt + GRACE);
      for (const major of majors) await w.opensReclaim(w.publisher, major);
      await w.passes(endedAt + days(30) - (await w.now()));
      expect(await w.controls(w.partner)).to.equal(true);
      const backAt = endedAt + GRACE + days(30);
      await w.nextAt(backAt + majors.length);
      for (const major of majors) {
        await w.finishesReclaim(w.publisher, major);
        await w.updates(w.publisher, [major, 0, seed]);
      }
      expect(await w.now()).to.be.below(backAt + 3 * majors.length);
    });
  });
}
