import { describe, expect, it } from "vitest";
import { faucetHref, fundsOf } from "./funds.ts";
import { controlFactOf } from "./previewFacts.ts";

const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describe("funds", () => {
  it("says what a wallet lacks", () => {
    expect(fundsOf(undefined, 5n)).toEqual({ kind: "unknown" });
    expect(fundsOf(5n, 5n)).toEqual({ kind: "enough", balance: 5n });
    expect(fundsOf(4n, 5n)).toEqual({ kind: "short", balance: 4n, missing: 1n });
    expect(fundsOf(4n, undefined)).toEqual({ kind: "enough", balance: 4n });
    expect(fundsOf(0n, undefined)).toEqual({ kind: "short", balance: 0n, missing: undefined });
  });

  it("names the wallet to the faucet", () => {
    expect(faucetHref("https://faucet.example/?to={address}", WALLET)).toBe(
      `https://faucet.example/?to=${WALLET}`,
    );
  });
});

describe("the preview's fact of control", () => {
  it("passes only while the wallet controls the DID", () => {
    expect(controlFactOf({ kind: "holds", until: 7 }, WALLET)).toMatchObject({
      outcome: "pass",
      evidence: { expiresAt: 7, accounts: [{ address: WALLET, controls: true }] },
    });
    expect(controlFactOf({ kind: "unchecked" }, WALLET).outcome).toBe("unknown");
    expect(controlFactOf({ kind: "holds", until: 7 }, undefined).outcome).toBe("unknown");
    const problem = { message: "", details: [] };
    expect(controlFactOf({ kind: "failed", problem }, WALLET).outcome).toBe("fail");
  });
});
