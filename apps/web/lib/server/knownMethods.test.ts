import { METHODS } from "node:http";
import { describe, expect, it } from "vitest";
import { knownMethod } from "./knownMethods.ts";
import { routeMethodNames } from "./route.ts";

describe("knownMethod", () => {
  it.each(routeMethodNames)("keeps %s", (method) => {
    expect(knownMethod(method)).toBe(method);
  });

  it("takes every other method that Node reads for one that no route has", () => {
    const others = METHODS.filter((method) => !(routeMethodNames as readonly string[]).includes(method));
    expect(others).toContain("TRACE");
    expect(new Set(others.map(knownMethod))).toEqual(new Set(["PATCH"]));
  });
});
