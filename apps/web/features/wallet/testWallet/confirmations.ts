import type { Address, Hex } from "viem";

/** A transaction that waits for the person's word. */
export interface PendingConfirmation {
  account: string;
  from: Address;
  to: Address | undefined;
  data: Hex | undefined;
  /** Wei sent along. */
  value: bigint;
  gas: bigint;
  /** Wei per unit of gas, at most. */
  gasPrice: bigint;
}

interface Waiting extends PendingConfirmation {
  settle: (confirmed: boolean) => void;
}

/** Transactions that wait to be confirmed or rejected, oldest first; a React external store. */
export function createConfirmations() {
  let waiting: readonly Waiting[] = [];
  const listeners = new Set<() => void>();
  const change = (next: readonly Waiting[]) => {
    waiting = next;
    for (const listener of listeners) listener();
  };
  return {
    /** Asks the person; resolves with their answer. */
    ask: (pending: PendingConfirmation) =>
      new Promise<boolean>((resolve) => change([...waiting, { ...pending, settle: resolve }])),
    /** Answers the oldest request. */
    answer: (confirmed: boolean) => {
      const [first, ...rest] = waiting;
      change(rest);
      first?.settle(confirmed);
    },
    current: (): PendingConfirmation | undefined => waiting[0],
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type Confirmations = ReturnType<typeof createConfirmations>;
