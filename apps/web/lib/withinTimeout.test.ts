import { describe, expect, it } from "vitest";
import { withinTimeout } from "./withinTimeout.ts";

const never = new Promise<never>(() => {});

describe("withinTimeout", () => {
  it("returns a result that is ready in time", async () => {
    expect(await withinTimeout(Promise.resolve("here"), 5_000)).toBe("here");
  });

  it("returns undefined if the promise fails or takes too long", async () => {
    expect(await withinTimeout(Promise.reject(new Error("away")), 5_000)).toBeUndefined();
    expect(await withinTimeout(never, 20)).toBeUndefined();
  });
});
