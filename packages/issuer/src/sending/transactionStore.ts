import type { IssuerTransaction, MinedTransaction, SignedAttempt } from "./issuerTransaction.ts";

/**
 * Store of the transactions of one issuer key on one chain: all open ones, and recently mined ones. A transaction is
 * stored before it is sent, so the store contains every transaction that a node may have.
 */
export type TransactionStore = {
  /** Runs one task at a time among all processes that share the store. */
  exclusively<T>(task: () => Promise<T>): Promise<T>;
  /** Lists all transactions, the lowest nonce first. */
  list(): Promise<IssuerTransaction[]>;
  /** Finds the transaction of a key with the highest nonce. */
  find(key: string): Promise<IssuerTransaction | undefined>;
  /**
   * Adds an open transaction. Replaces a mined one with the same nonce, which a reorganization has reverted.
   * @returns False, with nothing added, if another open transaction has the same nonce or key.
   */
  insert(transaction: IssuerTransaction): Promise<boolean>;
  /** Adds a signed replacement to an open transaction. */
  addAttempt(nonce: number, attempt: SignedAttempt): Promise<void>;
  /** Records the mined transaction of a nonce. */
  settle(nonce: number, mined: MinedTransaction): Promise<void>;
  /** Removes a transaction that can no longer be mined. */
  remove(nonce: number): Promise<void>;
  /** Removes mined transactions whose latest attempt was signed before a time, in Unix milliseconds. */
  prune(before: number): Promise<void>;
};

/**
 * Function that opens the store of one issuer key on one chain. `scope` identifies both.
 * @throws {IssuerStoreError} if the store can't be reached.
 */
export type OpenTransactionStore = (scope: string) => Promise<TransactionStore>;
