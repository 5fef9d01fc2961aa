import type { Wallet } from "@rainbow-me/rainbowkit";
import type { Chain } from "viem";
import { createConnector } from "wagmi";
import type { Confirmations } from "./confirmations.ts";
import { testAccountConnector } from "./connector.ts";
import type { TestAccount } from "./testAccounts.ts";

/** A square with the account's number. */
function icon(index: number): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><rect width="28" height="28" fill="#e7ebf2"/><text x="14" y="19" text-anchor="middle" font-family="sans-serif" font-size="14" font-weight="600" fill="#1d468f">${index}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** A test account as an entry of RainbowKit's wallet list. */
export function testAccountWallet(options: {
  testAccount: TestAccount;
  chain: Chain;
  confirmations: Confirmations;
}): Wallet {
  const { index, name } = options.testAccount;
  return {
    id: `testAccount${index}`,
    name,
    iconUrl: icon(index),
    iconBackground: "#e7ebf2",
    installed: true,
    createConnector: (details) =>
      createConnector((config) => ({ ...testAccountConnector(options)(config), ...details })),
  };
}
