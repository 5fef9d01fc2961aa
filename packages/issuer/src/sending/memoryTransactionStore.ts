import { createKeyedLock } from "@app-registry/outbound/internal";
import { type IssuerTransaction, lastAttempt } from "./issuerTransaction.ts";
import type { TransactionStore } from "./transactionStore.ts";

/**
 * Creates an in-memory store for an issuer that sends from only one process.
 *
 * @example
 * const transactions = createMemoryTransactionStore();
 * await transactions.list(); // []
 */
export function createMemoryTransactionStore(): TransactionStore {
  const lock = createKeyedLock();
  const transactions = new Map<number, IssuerTransaction>();
  const sorted = () => [...transactions.values()].sort((a, b) => a.nonce - b.nonce);
  const change = (nonce: number, update: (transaction: IssuerTransaction) => IssuerTransaction) => {
    const transaction = transactions.get(nonce);
    if (transaction && !transaction.mined) transactions.set(nonce, update(transaction));
  };
  return {
    exclusively: (task) => lock("", task),
    list: async () => sorted(),
    find: async (key) => sorted().findLast((transaction) => transaction.key === key),
    async insert(transaction) {
      const open = sorted().filter(({ mined }) => !mined);
      if (open.some(({ nonce, key }) => nonce === transaction.nonce || key === transaction.key)) return false;
      transactions.set(transaction.nonce, transaction);
      return true;
    },
    addAttempt: async (nonce, attempt) =>
      change(nonce, (transaction) => ({ ...transaction, attempts: [...transaction.attempts, attempt] })),
    settle: async (nonce, mined) => change(nonce, (transaction) => ({ ...transaction, mined })),
    remove: async (nonce) => void transactions.delete(nonce),
    async prune(before) {
      for (const transaction of sorted()) {
        if (transaction.mined && lastAttempt(transaction).signedAt < before) {
          transactions.delete(transaction.nonce);
        }
      }
    },
  };
}
