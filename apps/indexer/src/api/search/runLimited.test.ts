import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { MAX_CONCURRENCY, runLimited } from "./runLimited.ts";

describe("runLimited", () => {
  it("starts tasks in the order of their calls, a few at once", async () => {
    const begun: number[] = [];
    let [running, most] = [0, 0];
    const task = (index: number) => async () => {
      begun.push(index);
      most = Math.max(most, ++running);
      await sleep(1);
      running--;
      return index;
    };
    const indexes = Array.from({ length: 5 * MAX_CONCURRENCY }, (_, index) => index);
    const values = await Promise.all(indexes.map((index) => runLimited(task(index), () => true)));
    expect(values).toEqual(indexes);
    expect(begun).toEqual(indexes);
    expect(most).toBe(MAX_CONCURRENCY);
  });

  it("skips a task that is no longer awaited when its turn comes", async () => {
    let isAwaited = true;
    const before = Array.from({ length: MAX_CONCURRENCY }, () =>
      runLimited(
        () => sleep(5),
        () => true,
      ),
    );
    let isDone = false;
    const left = runLimited(
      async () => {
        isDone = true;
      },
      () => isAwaited,
    );
    isAwaited = false;
    await Promise.all([...before, left]);
    expect(isDone).toBe(false);
  });

  it("continues after a task that fails", async () => {
    const failing = Array.from({ length: 2 * MAX_CONCURRENCY }, () =>
      runLimited(
        () => Promise.reject(new Error("It fails.")),
        () => true,
      ),
    );
    await Promise.allSettled(failing);
    await expect(
      runLimited(
        async () => "done",
        () => true,
      ),
    ).resolves.toBe("done");
  });
});
