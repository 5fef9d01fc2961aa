/**
 * Seed of random tests: new in each long run, and fixed in the ordinary run, where its few histories reach every state.
 * TEST_SEED repeats a run.
 */
const { TEST_LONG, TEST_SEED = TEST_LONG ? String(Math.floor(Date.now() / 1_000)) : "200" } = process.env;

export const SEED = Number(TEST_SEED);
