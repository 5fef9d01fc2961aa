/** Test counts of one runner. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export function addCounts(all: Counts[]): Counts {
  const sum = (kind: keyof Counts) => all.reduce((total, counts) => total + counts[kind], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}

/** Formats counts as `N passed, N failed`, with `, N skipped` if there are any. */
export function formatCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** Reads the last lines of `hardhat test`. If several runners ran, these contain the sum. */
export function countHardhat(output: string): Counts {
  const count = (words: string) =>
    Number([...output.matchAll(new RegExp(`^ *(\\d+) (?:${words})\\b`, "gm"))].at(-1)?.[1] ?? 0);
  return { passed: count("passing"), failed: count("failing"), skipped: count("pending|skipped") };
}

/** Reads the JSON report of vitest. */
export function countVitest(report: string): Counts {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(report) as Record<
    string,
    number
  >;
  return {
    passed: numPassedTests ?? 0,
    failed: numFailedTests ?? 0,
    skipped: (numPendingTests ?? 0) + (numTodoTests ?? 0),
  };
}

/** Reads the JSON report of Playwright. Counts a test that passed only after a retry as failed. */
export function countPlaywright(report: string): Counts {
  const { stats } = JSON.parse(report) as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  };
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}
