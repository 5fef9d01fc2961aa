import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { AT_ONCE, inTurn } from "./inTurn.ts";

describe("inTurn", () => {
  it("begins tasks in the order in which they came, a few at once", async () => {
    const begun: number[] = [];
    let [running, most] = [0, 0];
    const task = (index: number) => async () => {
      begun.push(index);
      most = Math.max(most, ++running);
      await sleep(1);
      running--;
      return index;
    };
    const indexes = Array.from({ length: 5 * AT_ONCE }, (_, index) => index);
    const values = await Promise.all(indexes.map((index) => inTurn(task(index), () => true)));
    expect(values).toEqual(indexes);
    expect(begun).toEqual(indexes);
    expect(most).toBe(AT_ONCE);
  });

  it("leaves out what nobody waits for any more when its turn comes", async () => {
    let isAwaited = true;
    const before = Array.from({ length: AT_ONCE }, () =>
      inTurn(
        () => sleep(5),
        () => true,
      ),
    );
    let isDone = false;
    const left = inTurn(
      async () => {
        isDone = true;
      },
      () => isAwaited,
    );
    isAwaited = false;
    await Promise.all([...before, left]);
    expect(isDone).toBe(false);
  });

  it("goes on after a task that fails", async () => {
    const failing = Array.from({ length: 2 * AT_ONCE }, () =>
      inTurn(
        () => Promise.reject(new Error("It fails.")),
        () => true,
      ),
    );
    await Promise.allSettled(failing);
    await expect(
      inTurn(
        async () => "done",
        () => true,
      ),
    ).resolves.toBe("done");
  });
});
