import type { Address, LocalAccount, PublicClient } from "viem";
import type { IssuerEvent } from "./issuerEvent.ts";
import type { TransactionStore } from "./transactionStore.ts";

/** What the parts of the sender share. */
export type SendingContext = {
  account: LocalAccount;
  issuer: Address;
  chainId: number;
  publicClient: PublicClient;
  store: TransactionStore;
  /** The most to pay per gas, in wei. */
  maxFeePerGas: bigint;
  /** The most to spend in an hour, in wei. */
  spendingCap: bigint | undefined;
  /** Milliseconds after which an attempt that is not mined is replaced. */
  repriceAfter: number;
  onEvent: (event: IssuerEvent) => void;
};
