import { describe, expect, it } from "vitest";
import { visibleLines, visibleText } from "./visibleText.ts";

describe("visibleText", () => {
  it("shows a bidirectional override instead of obeying it", () => {
    expect(visibleText("pay\u202Emoc.elgoog")).toBe("pay\uFFFDmoc.elgoog");
  });

  it("shows zero-width characters that make two names look alike", () => {
    expect(visibleText("Pay\u200BPal")).toBe("Pay\uFFFDPal");
  });

  it("keeps joiners that scripts and emoji need", () => {
    expect(visibleText("می\u200Cخواهم 👩\u200D🚀")).toBe("می\u200Cخواهم 👩\u200D🚀");
  });

  it("puts a name on one line", () => {
    expect(visibleText("  two\r\nlines\t ")).toBe("two lines");
  });

  it("keeps the line breaks of prose", () => {
    expect(visibleLines("one\r\ntwo\u0007")).toBe("one\ntwo\uFFFD");
  });
});
