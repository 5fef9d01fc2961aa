import { describe, expect, it } from "vitest";
import { once } from "./once.ts";

describe("once", () => {
  it("makes a thing for the first caller, and gives it to all others", () => {
    let made = 0;
    const thing = once(() => ({ number: ++made }));
    expect(thing()).toBe(thing());
    expect(made).toBe(1);
  });

  it("makes it again after a promise that failed, and not before", async () => {
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
