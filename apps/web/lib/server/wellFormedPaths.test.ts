import { describe, expect, it } from "vitest";
import { wellFormedTarget } from "./wellFormedPaths.ts";

describe("wellFormedTarget", () => {
  it.each(["/", "/api/apps/did:web:localhost%3A3000", "/a?b=%E0%A4%A", "/a%253A?c", "*"])(
    "keeps %s",
    (target) => {
      expect(wellFormedTarget(target)).toBe(target);
    },
  );

  it.each([
    ["/api/apps/%E0%A4%A", "/api/apps/%25E0%25A4%25A"],
    ["/%", "/%25"],
    ["/%ff?x=%", "/%25ff?x=%"],
    ["/did:web:a%3A1/%zz", "/did:web:a%253A1/%25zz"],
  ])("encodes the percent signs of %s once more", (target, kept) => {
    expect(wellFormedTarget(target)).toBe(kept);
    expect(() => decodeURIComponent(new URL(kept, "http://x").pathname)).not.toThrow();
  });
});
