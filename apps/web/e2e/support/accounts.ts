import { LOCAL_MNEMONIC } from "@app-registry/sdk/internal";
import { mnemonicToAccount } from "viem/accounts";

/** The account behind "Test account <number>" of the local chain's wallet list. */
export const testAccount = (number: number) => mnemonicToAccount(LOCAL_MNEMONIC, { addressIndex: number });
