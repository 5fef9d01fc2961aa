import fc from "fast-check";
import { testSeed } from "./testSeed.ts";

/**
 * Property tests try 100 inputs each, and 10,000 with `pnpm test:long`. A failure names its seed, which the environment
 * variable TEST_SEED sets.
 */
fc.configureGlobal({ numRuns: process.env.TEST_LONG ? 10_000 : 100, seed: testSeed(1) });
