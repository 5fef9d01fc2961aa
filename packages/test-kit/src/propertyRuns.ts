import fc from "fast-check";

/** Property tests try 100 inputs each, and 10,000 with `pnpm test:long`. */
fc.configureGlobal({ numRuns: process.env.TEST_LONG ? 10_000 : 100 });
