import { type Hex, toHex } from "viem";
import { type HDAccount, mnemonicToAccount } from "viem/accounts";
import { LOCAL_MNEMONIC } from "../../packages/sdk/src/local.ts";

/** Writes attestations; no other part sends from it, so its nonces are its own. */
export const ISSUER_INDEX = 19;
/** Registers the demonstration services. */
export const DEMO_PUBLISHER_INDEX = 10;

/** Deriving a key takes as long as a small test. */
const derived = new Map<number, HDAccount>();

/** One of the 20 funded accounts of the local chain, by index 0 to 19. */
export function localAccount(index: number): HDAccount {
  const account = derived.get(index) ?? mnemonicToAccount(LOCAL_MNEMONIC, { addressIndex: index });
  derived.set(index, account);
  return account;
}

/** The private key of a funded account of the local chain. */
export function localPrivateKey(index: number): Hex {
  const key = localAccount(index).getHdKey().privateKey;
  if (!key) throw new Error("A mnemonic account has a private key");
  return toHex(key);
}
