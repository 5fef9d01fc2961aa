/** An account of the local chain that signs in the page. */
export interface TestAccount {
  /** Index below the derivation path m/44'/60'/0'/0. */
  index: number;
  name: string;
  /** The chain on which its wallet stands when it is first connected, when that isn't the registry's. */
  startChainId?: number;
}

/** The public development mnemonic whose accounts a Hardhat chain funds. */
export const LOCAL_MNEMONIC = "test test test test test test test test test test test junk";

/**
 * The accounts in the wallet list on the local chain. The last one's wallet begins on Ethereum, as the wallet of
 * somebody who comes from another site does.
 */
export const testAccounts: readonly TestAccount[] = [
  { index: 1, name: "Test account 1" },
  { index: 2, name: "Test account 2" },
  { index: 3, name: "Test account 3" },
  { index: 4, name: "Test account 4" },
  { index: 5, name: "Test account 5 (on another chain)", startChainId: 1 },
];
