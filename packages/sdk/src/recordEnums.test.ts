import { expect, it } from "vitest";
import { interfaceNames, isInterfaceBitmap } from "./recordEnums.ts";

it("interfaceNames returns the names of the bits of a bitmap", () => {
  expect(interfaceNames(1)).toEqual(["Human"]);
  expect(interfaceNames(6)).toEqual(["Api", "Contract"]);
  expect(interfaceNames(7)).toEqual(["Human", "Api", "Contract"]);
});

it("isInterfaceBitmap accepts the integers 1 to 7 only", () => {
  const bitmaps = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0xffff, 1.5, Number.NaN].filter(isInterfaceBitmap);
  expect(bitmaps).toEqual([1, 2, 3, 4, 5, 6, 7]);
});
