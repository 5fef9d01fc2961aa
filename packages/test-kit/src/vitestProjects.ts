/** Time limits of tests, in milliseconds. They are long, because a busy machine makes a test slow, not wrong. */
export const patience = {
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 120_000 } },
};

/** Suites that only `pnpm test:long` runs: they kill processes, wait, or repeat for each revision what others show once. */
export const longSuites = process.env.TEST_LONG ? [] : ["**/*.long.test.ts"];

/** Global setup that provides chains and databases for the suites of a run. */
export const servers = `${import.meta.dirname}/servers.ts`;

/** Setup that gives property tests their number of runs and their seed. */
export const propertyRuns = `${import.meta.dirname}/propertyRuns.ts`;

/**
 * Options for suites that share one chain, one clock and one deployment. Files run one after the other in one worker.
 */
export const onSharedChain = {
  exclude: longSuites,
  globalSetup: [servers, `${import.meta.dirname}/startChains.ts`],
  setupFiles: propertyRuns,
  ...patience,
  fileParallelism: false,
  isolate: false,
};
