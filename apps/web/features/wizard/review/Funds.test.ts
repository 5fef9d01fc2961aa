import { expect, it } from "vitest";
import { faucetHref, lackOfFunds } from "./Funds.tsx";

const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

it("the missing amount is named only if the balance is known and too low", () => {
  const lack = (balance: bigint | undefined, most: bigint | undefined) => lackOfFunds(balance, most, String);
  expect(lack(undefined, 5n)).toBeUndefined();
  expect(lack(5n, 5n)).toBeUndefined();
  expect(lack(4n, 5n)).toBe("You need 1 more to publish.");
  expect(lack(4n, undefined)).toBeUndefined();
  expect(lack(0n, undefined)).toBe("Not enough to publish.");
});

it("the wallet is inserted into the faucet's URL", () => {
  expect(faucetHref("https://faucet.example/?to={address}", WALLET)).toBe(
    `https://faucet.example/?to=${WALLET}`,
  );
});
