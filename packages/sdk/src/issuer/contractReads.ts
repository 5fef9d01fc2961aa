import { type Address, getAddress, type Hex, type PublicClient, RpcRequestError } from "viem";
import { RpcUnavailableError } from "../errors/index.ts";

/** A contract at one block of one chain. */
export type ContractAt = { client: PublicClient; blockNumber: bigint; address: Address };

/**
 * Enough for an owner behind a proxy. It caps what a hostile contract can compute, and, as memory costs gas, what it
 * can return: about 350 KB.
 */
const CALL_GAS = 300_000n;

/** Whether code stands at an address. */
export async function hasCode({ client, address, blockNumber }: ContractAt): Promise<boolean> {
  return (await codeOf({ client, address, blockNumber })) !== "0x";
}

/**
 * Whether an address is a contract account, such as a Safe. An account that only delegates to code (EIP-7702) still
 * has a key, which is the same on every chain.
 */
export async function isContractAccount(account: ContractAt): Promise<boolean> {
  const code = await codeOf(account);
  return code !== "0x" && !/^0xef0100[0-9a-f]{40}$/i.test(code);
}

async function codeOf({ client, address, blockNumber }: ContractAt): Promise<Hex> {
  return (await unlessUnavailable(client.getCode({ address, blockNumber }))) ?? "0x";
}

/** The word in a storage slot. */
export async function readSlot({ client, address, blockNumber }: ContractAt, slot: Hex): Promise<Hex> {
  const word = await unlessUnavailable(client.getStorageAt({ address, slot, blockNumber }));
  // Some nodes leave leading zeros out.
  return `0x${(word ?? "0x").slice(2).padStart(64, "0")}`;
}

/** What a capped call returns when that is exactly one word; undefined when it fails or returns anything else. */
export async function callForWord(contract: ContractAt, data: Hex): Promise<Hex | undefined> {
  const { client, address, blockNumber } = contract;
  try {
    const answer = await client.call({ to: address, data, gas: CALL_GAS, blockNumber });
    return answer.data !== undefined && answer.data.length === 66 ? answer.data : undefined;
  } catch (error) {
    if (isExecutionFailure(error)) return undefined;
    throw new RpcUnavailableError(error);
  }
}

/** The address that a call returns; undefined when it fails or returns anything but one address. */
export async function callForAddress(contract: ContractAt, data: Hex): Promise<Address | undefined> {
  const word = await callForWord(contract, data);
  return word && toAddress(word);
}

/** A word that holds nothing but an address. */
export function toAddress(word: Hex): Address | undefined {
  return /^0x0{24}[0-9a-f]{40}$/i.test(word) ? getAddress(`0x${word.slice(26)}`) : undefined;
}

/**
 * Whether the node ran the call and the call failed. Nodes agree on no error code for it (3, -32000, -32015,
 * -32603), so the message decides; any other failure is the node's own and says nothing about the contract.
 */
function isExecutionFailure(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof RpcRequestError)) continue;
    if (cause.code === 3) return true;
    const text = `${cause.details} ${cause.message}`;
    return /revert|out of gas|invalid opcode|invalid jump|stack (over|under)flow|bad instruction|gas uint64/i.test(
      text,
    );
  }
  return false;
}

/** @throws RpcUnavailableError when the promise fails. */
export async function unlessUnavailable<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw new RpcUnavailableError(error);
  }
}
