import { describe, expect, it } from "vitest";
import { once } from "./once.ts";

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
