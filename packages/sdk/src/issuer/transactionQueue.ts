import {
  encodeFunctionData,
  type Hash,
  keccak256,
  type LocalAccount,
  type PublicClient,
  TransactionNotFoundError,
} from "viem";
import {
  getTransaction,
  getTransactionCount,
  prepareTransactionRequest,
  sendRawTransaction,
} from "viem/actions";
import type { PreparedCall } from "../client/index.ts";
import { toAppRegistryError } from "../errors/index.ts";
import { createKeyedLock } from "./keyedLock.ts";

export type TransactionQueue = {
  /**
   * Signs and sends a call, one at a time, with the next free nonce. Returns when the node took it.
   * @throws ContractRevertError before anything is sent when the call would revert, RpcUnavailableError when the
   * node does not answer.
   */
  send(call: PreparedCall): Promise<Hash>;
  /** Says that a transaction was mined or given up, so that its nonce is the chain's to count again. */
  settle(hash: Hash): void;
};

/** One queue per issuer key: no two transactions share a nonce and none leaves a gap. */
export function createTransactionQueue(parameters: {
  publicClient: PublicClient;
  account: LocalAccount;
  chainId: number;
}): TransactionQueue {
  const { publicClient: client, account, chainId } = parameters;
  const lock = createKeyedLock();
  const open = new Set<Hash>();
  let next = 0;

  const isKnown = (hash: Hash) =>
    getTransaction(client, { hash }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof TransactionNotFoundError) return false;
        throw error;
      },
    );

  const nextNonce = async () => {
    const pending = await getTransactionCount(client, { address: account.address, blockTag: "pending" });
    if (pending >= next || open.size === 0) return pending;
    // Some nodes count what they were just sent a moment late. A transaction that the node forgot is another thing:
    // its nonce has to be used again, or everything after it waits for ever.
    const known = await Promise.all([...open].map(isKnown));
    if (known.every(Boolean)) return next;
    open.clear();
    return pending;
  };

  const send = async ({ address, abi, functionName, args }: PreparedCall): Promise<Hash> => {
    const data = encodeFunctionData({ abi, functionName, args });
    const nonce = await nextNonce();
    const prepared = await prepareTransactionRequest(client, {
      account,
      to: address,
      data,
      nonce,
      chainId,
      chain: null,
    });
    const serialized = await account.signTransaction({ ...prepared, chainId } as never);
    const hash = keccak256(serialized);
    try {
      await sendRawTransaction(client, { serializedTransaction: serialized });
    } catch (error) {
      // A node that took the transaction and lost its answer must not make us send a second one.
      if (!(await isKnown(hash).catch(() => false))) throw error;
    }
    open.add(hash);
    next = nonce + 1;
    return hash;
  };

  return {
    send: (call) =>
      lock("", () => send(call)).catch((error: unknown) => {
        throw toAppRegistryError(error);
      }),
    settle: (hash) => void open.delete(hash),
  };
}
