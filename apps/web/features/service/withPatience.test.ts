import { describe, expect, it } from "vitest";
import { withPatience } from "./withPatience.ts";

const never = new Promise<never>(() => {});

describe("withPatience", () => {
  it("gives an answer that is there in time", async () => {
    expect(await withPatience(Promise.resolve("here"), 5_000)).toBe("here");
  });

  it("goes on without an answer that failed or takes too long", async () => {
    expect(await withPatience(Promise.reject(new Error("away")), 5_000)).toBeUndefined();
    expect(await withPatience(never, 20)).toBeUndefined();
  });
});
