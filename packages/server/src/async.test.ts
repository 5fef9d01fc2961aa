import { describe, expect, it } from "vitest";
import { once, TtlCache, withinTimeout } from "./async.ts";

function clock() {
  let time = 0;
  return { now: () => time, pass: (milliseconds: number) => (time += milliseconds) };
}

describe("TtlCache", () => {
  it("computes a result once for callers within their maximum age", async () => {
    const time = clock();
    const answers = new TtlCache<number>(10, 60, time.now);
    let asked = 0;
    const ask = async () => ++asked;
    expect(await Promise.all([answers.get("a", ask), answers.get("a", ask)])).toEqual([1, 1]);
    time.pass(59);
    expect(await answers.get("a", ask)).toBe(1);
    expect(await answers.get("a", ask, 5)).toBe(2);
    time.pass(60);
    expect(await answers.get("a", ask)).toBe(3);
  });

  it("allows a maximum age that depends on the result", async () => {
    const time = clock();
    const answers = new TtlCache<string>(10, (answer) => (answer === "unknown" ? 5 : 60), time.now);
    await answers.get("a", async () => "unknown");
    time.pass(6);
    expect(await answers.get("a", async () => "known")).toBe("known");
    time.pass(59);
    expect(await answers.get("a", async () => "later")).toBe("known");
  });

  it("does not cache an error", async () => {
    const answers = new TtlCache<string>(10, 1_000);
    await expect(answers.get("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    expect(await answers.get("a", async () => "here")).toBe("here");
  });

  it("evicts the oldest result at capacity", async () => {
    const answers = new TtlCache<string>(2, 1_000);
    for (const key of ["a", "b", "c"]) await answers.get(key, async () => "first");
    expect(await answers.get("a", async () => "second")).toBe("second");
    expect(await answers.get("c", async () => "second")).toBe("first");
  });
});

describe("once", () => {
  it("creates a value at the first call and returns it to all callers", () => {
    let made = 0;
    const thing = once(() => ({ number: ++made }));
    expect(thing()).toBe(thing());
    expect(made).toBe(1);
  });

  it("creates the value again only after a rejected promise", async () => {
    let made = 0;
    const thing = once(async () => {
      made += 1;
      if (made === 1) throw new Error("away");
      return made;
    });
    const [first, second] = [thing(), thing()];
    await expect(first).rejects.toThrow("away");
    await expect(second).rejects.toThrow("away");
    expect(await thing()).toBe(2);
    expect(await thing()).toBe(2);
  });
});

describe("withinTimeout", () => {
  it("returns a result that is ready in time", async () => {
    expect(await withinTimeout(Promise.resolve("here"), 5_000)).toBe("here");
  });

  it("returns undefined if the promise fails or takes too long", async () => {
    expect(await withinTimeout(Promise.reject(new Error("away")), 5_000)).toBeUndefined();
    expect(await withinTimeout(new Promise<never>(() => {}), 20)).toBeUndefined();
  });
});
