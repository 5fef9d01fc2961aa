import { type Hex, toHex } from "viem";
import { type HDAccount, mnemonicToAccount } from "viem/accounts";
import { LOCAL_MNEMONIC } from "../../packages/sdk/src/local.ts";

/** Index of the account that writes attestations. No other part uses its nonces. */
export const ISSUER_INDEX = 19;

/** Index of the account that registers the demonstration services. */
export const DEMO_PUBLISHER_INDEX = 10;

/** Cache of accounts, because deriving a key takes as long as a small test. */
const derived = new Map<number, HDAccount>();

/** Returns one of the 20 funded accounts of the local chain, by index 0 to 19. */
export function localAccount(index: number): HDAccount {
  const account = derived.get(index) ?? mnemonicToAccount(LOCAL_MNEMONIC, { addressIndex: index });
  derived.set(index, account);
  return account;
}

export function localPrivateKey(index: number): Hex {
  const key = localAccount(index).getHdKey().privateKey;
  if (!key) throw new Error("A mnemonic account has a private key");
  return toHex(key);
}
