import { describe, expect, it } from "vitest";
import { createKeyedLock } from "./keyedLock.ts";

const later = () => new Promise<void>((resolve) => setTimeout(resolve, 5));

describe("createKeyedLock", () => {
  it("runs the tasks of one key in sequence, even after a failure", async () => {
    const lock = createKeyedLock();
    const log: string[] = [];
    const task = (name: string, fails = false) =>
      lock("key", async () => {
        log.push(`${name} starts`);
        await later();
        log.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const results = await Promise.allSettled([task("a"), task("b", true), task("c")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(log).toEqual(["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"]);
  });

  it("runs the tasks of different keys concurrently", async () => {
    const lock = createKeyedLock();
    let running = 0;
    let most = 0;
    const task = async () => {
      most = Math.max(most, ++running);
      await later();
      running--;
    };
    await Promise.all([lock("a", task), lock("b", task)]);
    expect(most).toBe(2);
  });
});
