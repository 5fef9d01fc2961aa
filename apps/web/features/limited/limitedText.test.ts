import { describe, expect, it } from "vitest";
import { waitText } from "./waitText.ts";

describe("waitText", () => {
  it.each([
    [1, "1 second"],
    [2, "2 seconds"],
    [90, "90 seconds"],
    [91, "2 minutes"],
    [121, "3 minutes"],
    [600, "10 minutes"],
  ])("says %i s as %s", (seconds, text) => {
    expect(waitText(seconds)).toBe(text);
  });
});
