import type { Address, LocalAccount, PublicClient } from "viem";
import type { IssuerEvent } from "./issuerEvent.ts";
import type { SpendingCaps } from "./spendingCap.ts";
import type { TransactionStore } from "./transactionStore.ts";

/** What the parts of the sender share. */
export type SendingContext = SpendingCaps & {
  account: LocalAccount;
  issuer: Address;
  chainId: number;
  publicClient: PublicClient;
  store: TransactionStore;
  /** The most to pay per gas, in wei. */
  maxFeePerGas: bigint;
  /** Milliseconds after which an attempt that is not mined is replaced. */
  repriceAfter: number;
  onEvent: (event: IssuerEvent) => void;
};
