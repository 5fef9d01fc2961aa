import { describe, expect, it } from "vitest";
import { getAtPointer, parseJsonPointer, toJsonPointer } from "./jsonValue.ts";

describe("JSON pointers", () => {
  it("escape and unescape slashes and tildes", () => {
    expect(toJsonPointer(["a/b", 0, "m~n"])).toBe("/a~1b/0/m~0n");
    expect(parseJsonPointer("/a~1b/0/m~0n")).toEqual(["a/b", "0", "m~n"]);
    expect(parseJsonPointer("")).toEqual([]);
  });

  it("do not read inherited properties", () => {
    expect(getAtPointer({}, "/constructor")).toBeUndefined();
    expect(getAtPointer({ a: [{ b: 1 }] }, "/a/0/b")).toBe(1);
  });
});
