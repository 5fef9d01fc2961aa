import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { formatCount, LagNote } from "./ServiceResults.tsx";

const counted = (count: number, exact = true) => ({ total: { count, exact }, isPart: false, hides: false });

describe("formatCount", () => {
  it.each([
    ["all results", { ...counted(2), records: 2, services: 2 }, "2 services"],
    ["the only service", { ...counted(1), records: 1, services: 1 }, "1 service"],
    ["majors that share a row", { ...counted(3), records: 3, services: 1 }, "1 service in 3 records"],
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
      "2 services (1 hidden by this registry's operator)",
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

it.each([undefined, 0, 100])("LagNote renders nothing with a lag of %s blocks, at most the limit", (lag) => {
  expect(renderToStaticMarkup(<LagNote lag={lag} limit={100} />)).toBe("");
});

it("LagNote says that the chain doesn't respond", () => {
  expect(renderToStaticMarkup(<LagNote lag={null} limit={100} />)).toContain("Not checked now");
});

it("LagNote shows the number of blocks above the limit", () => {
  expect(renderToStaticMarkup(<LagNote lag={1_101} limit={100} />)).toContain(
    "1,101 blocks behind the chain",
  );
});
