import { expect } from "chai";
import { stopServices } from "../../scripts/stack/processes.ts";
import { SEED } from "../seed.ts";
import { getName } from "./actions.ts";
import { createChain } from "./chain.ts";
import { generate } from "./history.ts";
import { shorten } from "./shorten.ts";

/** Number of histories, from the seed `SEED` on. Set this variable to 1 to run a single one. */
const { MODEL_HISTORIES = process.env.TEST_LONG ? "2000" : "10" } = process.env;
const END = SEED + Number(MODEL_HISTORIES);
const AT_ONCE = 20;
/** A batch skips an expired attestation, because it is not later than a lost challenge. */
const SKIPPED_EXPIRED = 300_701;

describe("Model of the rules and the contracts", () => {
  /** Names of the actions of all histories, and of those that were not refused. */
  const [tried, done] = [new Set<string>(), new Set<string>()];
  let chain: Awaited<ReturnType<typeof createChain>>;

  before(async () => {
    chain = await createChain();
  });
  after(stopServices);

  async function compare(seed: number) {
    const history = generate(seed, chain.everybody, chain.start);
    const mismatch = await chain.run(history, (action, error) => {
      tried.add(getName(action));
      if (error === "") done.add(getName(action));
    });
    if (mismatch) expect.fail(await shorten(history, chain.run, seed, mismatch));
  }

  for (let begin = SEED; begin < END; begin += AT_ONCE) {
    const end = Math.min(END, begin + AT_ONCE);

    it(`agree on histories ${begin} to ${end - 1}, of 300 actions each`, async function () {
      this.timeout(0);
      for (let seed = begin; seed < end; seed++) await compare(seed);
    });
  }

  it("agree that a batch skips an expired attestation after a lost challenge of the same second", async function () {
    this.timeout(0);
    await compare(SKIPPED_EXPIRED);
  });

  it("perform every kind of action in some history", () => {
    expect([...tried].filter((name) => !done.has(name))).to.deep.equal([]);
    expect(tried.size).to.be.greaterThan(20);
  });
});
