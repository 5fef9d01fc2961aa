import { describe, expect, it } from "vitest";
import { formatRateLimitMessage, parseRateLimitMessage, waitText } from "./limited.tsx";

describe("waitText", () => {
  it.each([
    [1, "1 second"],
    [2, "2 seconds"],
    [90, "90 seconds"],
    [91, "2 minutes"],
    [121, "3 minutes"],
    [600, "10 minutes"],
  ])("formats %i seconds as %s", (seconds, text) => {
    expect(waitText(seconds)).toBe(text);
  });
});

describe("parseRateLimitMessage", () => {
  it("returns when to try again", () => {
    expect(parseRateLimitMessage(formatRateLimitMessage(61))).toBe("Try again in 61 seconds.");
  });

  it("returns undefined for other errors", () => {
    expect(parseRateLimitMessage("An unexpected response was received from the server.")).toBeUndefined();
  });
});
