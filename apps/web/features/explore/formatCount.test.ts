import { describe, expect, it } from "vitest";
import { formatCount } from "./formatCount.ts";

const counted = (count: number, exact = true) => ({ total: { count, exact }, isPart: false, hides: false });

describe("formatCount", () => {
  it.each([
    ["all results", { ...counted(2), records: 2, services: 2 }, "2 records"],
    ["the only record", { ...counted(1), records: 1, services: 1 }, "1 record"],
    ["majors that share a row", { ...counted(3), records: 3, services: 1 }, "3 records (1 service)"],
    [
      "a page of many",
      { ...counted(1_200), isPart: true, records: 25, services: 23 },
      "25 of 1,200 records (23 services)",
    ],
    [
      "a page of an inexact count",
      { ...counted(10_000, false), isPart: true, records: 25, services: 25 },
      "25 of 10,000 or more records",
    ],
    [
      "a list with hidden records",
      { ...counted(3), hides: true, records: 2, services: 2 },
      "2 records (1 hidden by this registry's operator)",
    ],
    [
      "a page without a count",
      { total: undefined, isPart: true, hides: false, records: 25, services: 25 },
      "25 records on this page",
    ],
  ])("formats %s", (_, counts, text) => {
    expect(formatCount(counts)).toBe(text);
  });
});
