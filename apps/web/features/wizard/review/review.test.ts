import { describe, expect, it } from "vitest";
import { compareFunds, faucetHref } from "./funds.ts";
import { toControlFact } from "./previewFacts.ts";

const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describe("compareFunds", () => {
  it("returns the missing amount", () => {
    expect(compareFunds(undefined, 5n)).toEqual({ kind: "unknown" });
    expect(compareFunds(5n, 5n)).toEqual({ kind: "enough", balance: 5n });
    expect(compareFunds(4n, 5n)).toEqual({ kind: "short", balance: 4n, missing: 1n });
    expect(compareFunds(4n, undefined)).toEqual({ kind: "enough", balance: 4n });
    expect(compareFunds(0n, undefined)).toEqual({ kind: "short", balance: 0n, missing: undefined });
  });

  it("inserts the wallet into the faucet's URL", () => {
    expect(faucetHref("https://faucet.example/?to={address}", WALLET)).toBe(
      `https://faucet.example/?to=${WALLET}`,
    );
  });
});

describe("toControlFact", () => {
  it("passes only while the wallet controls the DID", () => {
    expect(toControlFact({ kind: "holds", until: 7 }, WALLET)).toMatchObject({
      outcome: "pass",
      evidence: { expiresAt: 7, accounts: [{ address: WALLET, controls: true }] },
    });
    expect(toControlFact({ kind: "unchecked" }, WALLET).outcome).toBe("unknown");
    expect(toControlFact({ kind: "holds", until: 7 }, undefined).outcome).toBe("unknown");
    const problem = { message: "", details: [] };
    expect(toControlFact({ kind: "failed", problem }, WALLET).outcome).toBe("fail");
  });
});
