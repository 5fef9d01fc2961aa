import { mnemonicToAccount } from "viem/accounts";

const LOCAL_MNEMONIC = "test test test test test test test test test test test junk";

/** The account behind "Test account <number>" of the local chain's wallet list. */
export const testAccount = (number: number) => mnemonicToAccount(LOCAL_MNEMONIC, { addressIndex: number });
