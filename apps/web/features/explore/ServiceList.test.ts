import { describe, expect, it } from "vitest";
import { findLookalikeContracts } from "./ServiceList.tsx";

const tether = "dac17f958d2ee523a2206206994597c13d831ec7";
const listed = (...addresses: string[]) =>
  addresses.map((address, index) => ({ tokenId: String(index + 1), did: `did:pkh:eip155:1:0x${address}` }));

describe("findLookalikeContracts", () => {
  it("returns contracts with equal ends and the positions at which they differ", () => {
    const other = `${tether.slice(0, 14)}aa${tether.slice(16)}`;
    const found = findLookalikeContracts([
      ...listed(tether, other),
      { tokenId: "9", did: "did:web:a.example" },
    ]);
    expect([...found]).toEqual([
      ["1", { tokenId: "2", places: new Set([14, 15]) }],
      ["2", { tokenId: "1", places: new Set([14, 15]) }],
    ]);
  });

  it.each([
    ["begin with the same six digits", `${tether.slice(0, 6)}${"0".repeat(34)}`, true],
    ["end with the same six digits", `${"0".repeat(34)}${tether.slice(34)}`, true],
    [
      "begin and end with the same three digits",
      `${tether.slice(0, 3)}${"0".repeat(34)}${tether.slice(37)}`,
      true,
    ],
    ["share five digits at their ends", `${tether.slice(0, 3)}${"0".repeat(35)}${tether.slice(38)}`, false],
    ["are the same, on two chains", tether, false],
  ])("with addresses that %s returns the expected result", (_, other, isAlike) => {
    expect(findLookalikeContracts(listed(tether, other)).size > 0).toBe(isAlike);
  });
});
