import type { IssuerTransaction, MinedTransaction, SignedAttempt } from "./issuerTransaction.ts";

/**
 * The transactions of one issuer key on one chain: every open one, and those mined recently. It is written before anything
 * is sent to a node, so it knows whatever a node may have.
 */
export type TransactionStore = {
  /** Runs one task at a time, among all processes that share the store. */
  exclusively<T>(task: () => Promise<T>): Promise<T>;
  /** Lowest nonce first. */
  list(): Promise<IssuerTransaction[]>;
  /** The transaction of a key with the highest nonce. */
  find(key: string): Promise<IssuerTransaction | undefined>;
  /**
   * Adds an open transaction, possibly replacing a mined one that a reorganisation undid.
   * @returns false, and adds nothing, when another open one has its nonce or its key.
   */
  insert(transaction: IssuerTransaction): Promise<boolean>;
  /** Adds a replacement to an open transaction. */
  addAttempt(nonce: number, attempt: SignedAttempt): Promise<void>;
  /** Records what was mined with a nonce. */
  settle(nonce: number, mined: MinedTransaction): Promise<void>;
  /** Forgets a transaction that can no longer be mined. */
  remove(nonce: number): Promise<void>;
  /** Forgets mined transactions whose last attempt was signed before a time, Unix milliseconds. */
  prune(before: number): Promise<void>;
};

/**
 * Opens the store of one issuer key on one chain; `scope` names both.
 * @throws IssuerStoreError when it can't be reached.
 */
export type OpenTransactionStore = (scope: string) => Promise<TransactionStore>;
