import { randomInt } from "node:crypto";

const { TEST_SEED, TEST_LONG } = process.env;
const nightly = TEST_LONG ? randomInt(2 ** 31) : undefined;

/**
 * Returns the seed of a random test: `fixed`, so that a run can be repeated, or with `pnpm test:long` a new one. Set
 * TEST_SEED to repeat a long run; tests name their seed when they fail.
 */
export const testSeed = (fixed: number): number => Number(TEST_SEED ?? nightly ?? fixed);
