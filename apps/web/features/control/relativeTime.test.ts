import { expect, it } from "vitest";
import { relativeTime } from "./relativeTime.ts";

it.each([
  [30, "in less than a minute"],
  [60, "in 1 minute"],
  [172_800, "in 2 days"],
  [172_799, "in 1 day 23 hours"],
  [90_061, "in 1 day 1 hour"],
  [3_600 + 119, "in 1 hour 1 minute"],
  [-7_200, "2 hours ago"],
  [0, "less than a minute ago"],
])("says of a time %d seconds away: %s", (away, text) => {
  expect(relativeTime(1_800_000_000 + away, 1_800_000_000)).toBe(text);
});
