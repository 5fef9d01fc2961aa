/** What a run with `--coverage` says of the contracts together. */
export interface Coverage {
  linePercent: number;
  statementPercent: number;
  /** Each line with a statement that never ran, as `file:line`. */
  missed: string[];
}

/**
 * Reads the table that Hardhat prints, and its lcov file for the missed lines, which the table cuts short.
 * @throws When there is no table or no file in it: a run that measured nothing.
 */
export function readCoverage(output: string, lcov: string): Coverage {
  const [, linePercent, statementPercent] = /\bTotal\W+(\d+\.\d+)\W+(\d+\.\d+)/.exec(output) ?? [];
  if (linePercent === undefined || !lcov.includes("SF:contracts/")) {
    throw new Error("The run has measured nothing");
  }
  return {
    linePercent: Number(linePercent),
    statementPercent: Number(statementPercent),
    missed: readMissedLines(lcov),
  };
}

function readMissedLines(lcov: string): string[] {
  return lcov.split("end_of_record").flatMap((section) => {
    const file = /^SF:(.+)$/m.exec(section)?.[1];
    return [...section.matchAll(/^DA:(\d+),0$/gm)].map(([, line]) => `${file}:${line}`);
  });
}
