import type { IssuerTransaction, MinedTransaction, SignedAttempt } from "./issuerTransaction.ts";

/**
 * The transactions of one issuer key on one chain: every open one, and those mined of late. It is written before a
 * node is sent anything, so that whatever a node may have is known.
 */
export type TransactionStore = {
  /** Runs one task at a time, among all processes that share the store. */
  exclusively<T>(task: () => Promise<T>): Promise<T>;
  /** Lowest nonce first. */
  list(): Promise<IssuerTransaction[]>;
  /** The transaction of a key with the highest nonce. */
  find(key: string): Promise<IssuerTransaction | undefined>;
  /**
   * Adds an open transaction, also in the place of a mined one that a reorganisation undid.
   * @returns false, and adds nothing, when another open one has its nonce or its key.
   */
  insert(transaction: IssuerTransaction): Promise<boolean>;
  /** Adds a replacement to an open transaction. */
  addAttempt(nonce: number, attempt: SignedAttempt): Promise<void>;
  /** Says what a nonce was mined with. */
  settle(nonce: number, mined: MinedTransaction): Promise<void>;
  /** Forgets a transaction that can't be mined any more. */
  remove(nonce: number): Promise<void>;
  /** Forgets mined transactions whose last attempt was signed before a time, Unix milliseconds. */
  prune(before: number): Promise<void>;
};

/**
 * Opens the store of one issuer key on one chain; `scope` names both.
 * @throws IssuerStoreError when it can't be reached.
 */
export type OpenTransactionStore = (scope: string) => Promise<TransactionStore>;
