import { describe, expect, it } from "vitest";
import { TimeLimitError } from "../errors/networkErrors.ts";
import { withTimeLimit } from "./timeLimit.ts";

const never = () => new Promise<never>(() => undefined);

describe("withTimeLimit", () => {
  it("returns the result if it is ready in time", async () => {
    expect(await withTimeLimit("It", 1000, async () => 7)).toBe(7);
  });

  it("rejects with the name of the host and aborts the signal when time is up", async () => {
    let signal: AbortSignal | undefined;
    const waiting = withTimeLimit("The host", 20, (given) => {
      signal = given;
      return never();
    });
    await expect(waiting).rejects.toThrow("The host did not respond in time.");
    expect(signal?.reason).toBeInstanceOf(TimeLimitError);
  });

  it("rejects with the error of the function", async () => {
    const failure = new Error("failed");
    await expect(withTimeLimit("It", 1000, () => Promise.reject(failure))).rejects.toBe(failure);
  });
});
