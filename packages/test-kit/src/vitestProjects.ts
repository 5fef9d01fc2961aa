/** For how long tests wait, in milliseconds. A machine that does other work at the same time is slow, not wrong. */
export const patience = {
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 120_000 } },
};

/** Chains and databases for the suites of a run. */
export const servers = `${import.meta.dirname}/servers.ts`;

/** One chain, one clock and one shared deployment: files run one after the other in one worker. */
export const onSharedChain = {
  globalSetup: [servers, `${import.meta.dirname}/startChains.ts`],
  ...patience,
  fileParallelism: false,
  isolate: false,
};
