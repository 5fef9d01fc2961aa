import { describe, expect, it } from "vitest";
import { resultCache } from "./resultCache.ts";

describe("the cache of results", () => {
  it("keeps those that were asked for last, within its bytes", () => {
    const cache = resultCache(1_000_000);
    for (let tokenId = 1; tokenId <= 1_000; tokenId++) {
      cache.set(String(tokenId), { state: "1(0,1) true pass", json: "x".repeat(2_000) });
      cache.get("1");
    }
    expect(cache.size).toBeGreaterThan(100);
    expect(2_000 * cache.size).toBeLessThan(1_000_000);
    expect(cache.calculatedSize).toBeLessThanOrEqual(1_000_000);
    expect([cache.has("1"), cache.has("2"), cache.has("1000")]).toEqual([true, false, true]);
  });
});
