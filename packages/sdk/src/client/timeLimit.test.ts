import { describe, expect, it } from "vitest";
import { TimeLimitError } from "../errors/networkErrors.ts";
import { withTimeLimit } from "./timeLimit.ts";

const never = () => new Promise<never>(() => undefined);

describe("withTimeLimit", () => {
  it("returns what is done in time", async () => {
    expect(await withTimeLimit("It", 1000, async () => 7)).toBe(7);
  });

  it("names what did not answer, and tells it to stop", async () => {
    let signal: AbortSignal | undefined;
    const waiting = withTimeLimit("The host", 20, (given) => {
      signal = given;
      return never();
    });
    await expect(waiting).rejects.toThrow("The host did not respond in time.");
    expect(signal?.reason).toBeInstanceOf(TimeLimitError);
  });

  it("hands on a failure", async () => {
    const failure = new Error("failed");
    await expect(withTimeLimit("It", 1000, () => Promise.reject(failure))).rejects.toBe(failure);
  });
});
