import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { es6NumberChecksums, es6Numbers, formatIeee754 } from "../test/es6Numbers.ts";
import { canonicalizeJson, canonicalizeValue } from "./json.ts";

/** Number of vectors: a million in long runs. */
const lines = process.env.TEST_LONG ? 1_000_000 : 10_000;

describe(`the first ${lines.toLocaleString("en")} number vectors of RFC 8785`, () => {
  it("match the output of canonicalizeValue, which canonicalizeJson returns unchanged", () => {
    const hash = createHash("sha256");
    const checksums: Record<number, string> = {};
    let line = 0;
    for (const number of es6Numbers()) {
      const text = canonicalizeValue(number);
      if (canonicalizeJson(text) !== text) expect.fail(`${text} becomes ${canonicalizeJson(text)}`);
      hash.update(`${formatIeee754(number)},${text}\n`);
      line++;
      if (es6NumberChecksums.has(line)) checksums[line] = hash.copy().digest("hex");
      if (line === lines) break;
    }
    const published = [...es6NumberChecksums].filter(([count]) => count <= lines);
    expect(checksums).toEqual(Object.fromEntries(published));
  });
});
