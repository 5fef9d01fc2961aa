import type { Address, LocalAccount, PublicClient } from "viem";
import type { IssuerEvent } from "./issuerEvent.ts";
import type { SpendingCaps } from "./spendingCap.ts";
import type { TransactionStore } from "./transactionStore.ts";

/** Context shared by the parts of the sender. */
export type SendingContext = SpendingCaps & {
  account: LocalAccount;
  issuer: Address;
  chainId: number;
  publicClient: PublicClient;
  store: TransactionStore;
  /** Maximum price per gas, in wei. */
  maxFeePerGas: bigint;
  /** Time until an attempt that is not mined is replaced, in milliseconds. */
  repriceAfter: number;
  onEvent: (event: IssuerEvent) => void;
};
