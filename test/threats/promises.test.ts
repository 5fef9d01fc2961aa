import { expect } from "chai";
import { type Account, createWorld, days, hours, MATURATION, type World } from "./world.ts";

const { load, takeSnapshot } = await createWorld();

const SEEDS = [1, 2, 3, 4, 5, 6];
const ACTIONS = 60;

/** A sequence that its seed decides (mulberry32). */
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

/** Does it if it is allowed; most of what an attacker tries is not. */
const attempt = (action: Action) =>
  action().then(
    () => true,
    () => false,
  );

/** What issuers do to accounts, directly and by signatures that they date back. */
function statementsOf(w: World, random: Randomness, issuers: Account[], accounts: Account[]): Action[] {
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

/** What accounts do to one another. */
function actsOf(w: World, random: Randomness, actors: Account[], accounts: Account[]): Action[] {
  const actor = random.oneOf(actors);
  const account = random.oneOf(accounts);
  return [
    () => w.vouches(actor, account),
    () => w.objects(actor, account),
    () => w.withdraws(actor, account),
    () => w.challenges(actor, account),
    () => w.resolves(actor, account),
    () => w.opensReclaim(actor),
    () => w.finishesReclaim(actor),
  ];
}

/** Two issuers back the challenge of an account against another, until it can be resolved. */
async function besieges(w: World, challenger: Account, incumbent: Account) {
  for (const issuer of [w.ben, w.cleo]) await attempt(() => w.attests(issuer, challenger));
  await attempt(() => w.challenges(challenger, incumbent));
  await w.passes(days(7));
  await w.resolves(challenger, incumbent);
}

for (const seed of SEEDS) {
  describe(`Against ${ACTIONS} hostile actions of seed ${seed}`, () => {
    it("no issuer can change what another issuer stated", async () => {
      const w = await load();
      const random = randomness(seed);
      const accounts = Object.values(w.people);
      for (const account of accounts) await w.attests(w.ada, account, { for: days(100 + random.below(200)) });
      await w.revokes(w.ada, w.seller);
      const statedByAda = () =>
        Promise.all(
          accounts.map(async (account) => {
            const stated = await w.resolver.getDIDAttestations(w.did, account);
            const { startedAt, statedAt, settlesAt, expiresAt, endedAt } =
              stated.find(({ issuer }) => issuer === w.ada.address) ?? {};
            return [startedAt, statedAt, settlesAt, expiresAt, endedAt];
          }),
        );
      const before = await statedByAda();
      for (let count = 0; count < ACTIONS; count++) {
        await attempt(random.oneOf(statementsOf(w, random, [w.ben, w.cleo], accounts)));
        await w.passes(random.below(days(2)) + 1);
        expect(await statedByAda()).to.deep.equal(before);
      }
    });

    it("nothing counts that was not in place for the maturation, unless it is vouched for", async () => {
      const w = await load();
      const random = randomness(seed);
      const accounts = [w.publisher, w.partner, w.seller, w.thief];
      const issuers = [w.ada, w.ben, w.cleo];
      await w.attests(w.ada, w.publisher);
      const claimedAt = BigInt(await w.now());
      /** When an account was last seen with nothing that a renewal could keep. */
      const strangerAt = new Map<string, number>();
      let counted = 0;
      for (let count = 0; count < ACTIONS; count++) {
        const statements = statementsOf(w, random, issuers, accounts);
        const acts = actsOf(w, random, accounts, accounts);
        const siege = () => besieges(w, random.oneOf(accounts), random.oneOf(accounts));
        await attempt(random.oneOf([...statements, ...acts, siege]));
        if (random.below(2) === 0) await w.passes(random.below(days(4)) + 1);
        for (const account of accounts) {
          const { counts, attested, late } = await w.resolver.getController(w.did, account);
          if (!attested && !late) strangerAt.set(account.address, await w.now());
          if (!counts) continue;
          const stated = await w.resolver.getDIDAttestations(w.did, account);
          const ready = stated.filter(({ live, settled, vouched }) => live && (settled || vouched));
          expect(ready.length).to.be.greaterThan(0);
          if (ready.some(({ vouched }) => vouched)) continue;
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

    it("distrust since the theft of a key, less than a maturation ago, restores the answers", async () => {
      const w = await load();
      const random = randomness(seed);
      const accounts = Object.values(w.people);
      for (let count = 0; count < ACTIONS / 2; count++) {
        const statements = statementsOf(w, random, [w.ada, w.ada, w.ben], accounts);
        await attempt(random.oneOf([...statements, ...actsOf(w, random, accounts, accounts)]));
        await w.passes(random.below(days(3)) + 1);
      }
      await attempt(() => w.attests(w.ada, w.publisher));
      const stolenAt = (await w.now()) + 1;
      const heldByAda = new Set<Account>();
      for (const account of accounts) {
        const stated = await w.resolver.getDIDAttestations(w.did, account);
        if (stated.some(({ issuer, held }) => issuer === w.ada.address && held)) heldByAda.add(account);
      }
      const noticedAt = stolenAt + MATURATION - 1;
      const passesUntil = async (timestamp: number) => w.passes(timestamp - (await w.now()));
      const answers = () => Promise.all(accounts.map((account) => w.counts(account)));
      /** What counts when the theft is noticed, and when what the thief attested would have settled. */
      async function answersTwice() {
        await passesUntil(noticedAt);
        const first = await answers();
        await w.passes(MATURATION);
        return [first, await answers()];
      }

      const snapshot = await takeSnapshot();
      const withoutTheft = await answersTwice();
      await snapshot.restore();
      await w.nextAt(stolenAt);
      for (let count = 0; count < ACTIONS / 2; count++) {
        await attempt(random.oneOf(statementsOf(w, random, [w.ada], accounts)));
        if ((await w.now()) + hours(4) < noticedAt) await w.passes(random.below(hours(3)) + 1);
      }
      await w.distrusts(w.ada, stolenAt);
      const restored = await answersTwice();
      for (const [time, counting] of withoutTheft.entries()) {
        for (const [index, account] of accounts.entries()) {
          // A run that was held at the theft, and has expired since, the thief may have renewed.
          if (heldByAda.has(account) && !counting[index]) continue;
          expect(restored[time]?.[index]).to.equal(counting[index]);
        }
      }
    });

    it("a publisher whose renewal is late by less than the grace loses nothing", async () => {
      const w = await load();
      const random = randomness(seed);
      await w.attests(w.ada, w.publisher, { for: days(30) });
      await w.mints(w.publisher);
      await w.settles(w.partner, w.cleo);
      await w.passes(days(28));
      expect(await w.counts(w.publisher)).to.equal(false);
      const hostile = [w.partner, w.stranger, w.thief, w.friend];
      for (let count = 0; count < ACTIONS; count++) {
        const statements = statementsOf(w, random, [w.ben, w.cleo], [...hostile, w.publisher]);
        const acts = actsOf(w, random, hostile, [w.publisher, ...hostile]);
        await attempt(random.oneOf([...statements, ...acts]));
        await w.passes(random.below((days(7) / ACTIONS) | 0) + 1);
        expect(await w.standing(w.publisher)).to.be.greaterThan(0n);
      }
      await w.attests(w.ada, w.publisher);
      expect(await w.counts(w.publisher)).to.equal(true);
      const { objected } = await w.resolver.getController(w.did, w.publisher);
      expect(objected).to.equal(false);
      await w.updates(w.publisher, [1, 0, 1]);
    });

    it("a publisher attested by one issuer who objects in time is not overruled within a week", async () => {
      const w = await load();
      const random = randomness(seed);
      await w.settles(w.publisher, w.ada);
      await w.settles(w.partner, w.ben);
      const hijackers = [w.thief, w.stranger];
      for (const hijacker of hijackers) await w.attests(w.cleo, hijacker);
      const hijackedAt = await w.now();
      await w.passes(random.below(hours(47)));
      for (const hijacker of hijackers) await w.objects(w.publisher, hijacker);
      while ((await w.now()) < hijackedAt + days(7) - hours(6)) {
        const statements = statementsOf(w, random, [w.ben, w.cleo], [...hijackers, w.partner]);
        const acts = actsOf(w, random, [...hijackers, w.partner], [w.publisher, ...hijackers]);
        await attempt(random.oneOf([...statements, ...acts]));
        await w.passes(random.below(hours(4)) + 1);
        for (const hijacker of hijackers) expect(await w.counts(hijacker)).to.equal(false);
        expect(await w.counts(w.publisher)).to.equal(true);
      }
    });

    it("a griefer who stops paying blocks, resets or exhausts nothing any more", async () => {
      const w = await load();
      const random = randomness(seed);
      await w.attests(w.ada, w.seller);
      await w.mints(w.seller);
      await w.settles(w.publisher, w.ada);
      await w.revokes(w.ada, w.seller);
      await w.mints(w.publisher, [2, 0, 0]);
      const griefers = [w.thief, w.stranger, w.seller];
      for (const griefer of griefers) await w.objects(w.publisher, griefer);
      for (let count = 0; count < ACTIONS; count++) {
        const statements = statementsOf(w, random, [w.cleo], [...griefers, w.publisher, w.friend]);
        const acts = actsOf(w, random, griefers, [w.publisher, w.friend, ...griefers]);
        await attempt(random.oneOf([...statements, ...acts]));
        await w.passes(random.below(hours(4)) + 1);
      }
      // Meanwhile nobody was kept from publishing, or from naming a second controller.
      await w.updates(w.publisher, [2, 0, 1]);
      await w.attests(w.ben, w.friend);
      await w.vouches(w.publisher, w.friend);
      expect(await w.counts(w.friend)).to.equal(true);

      await w.passes(days(200));
      await w.attests(w.ada, w.publisher);
      await w.passes(days(200));
      for (const griefer of griefers) expect(await w.standing(griefer)).to.equal(0);
      await w.opensReclaim(w.publisher);
      await w.passes(days(30));
      await w.finishesReclaim(w.publisher);
      await w.updates(w.publisher, [1, 0, 1]);
      await w.settles(w.sleeper, w.ben);
      expect(await w.counts(w.sleeper)).to.equal(true);
    });
  });
}
