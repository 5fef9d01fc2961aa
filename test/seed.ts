/** Seed of random tests: fixed in the ordinary run, and new in each long run. TEST_SEED repeats a run. */
const { TEST_LONG, TEST_SEED = TEST_LONG ? String(Math.floor(Date.now() / 1_000)) : "0" } = process.env;

export const SEED = Number(TEST_SEED);
