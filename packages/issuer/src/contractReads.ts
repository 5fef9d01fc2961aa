import { RpcUnavailableError } from "@app-registry/sdk";
import { collectMessages } from "@app-registry/sdk/internal";
import { type Address, getAddress, type Hex, type PublicClient, RpcRequestError, zeroAddress } from "viem";
import { call } from "viem/actions";

/** A contract at one block of one chain. */
export type PinnedContract = { client: PublicClient; blockNumber: bigint; address: Address };

/**
 * Enough for an owner behind a proxy. It caps what a hostile contract can compute, and, as memory costs gas, what it
 * can return: about 350 KB.
 */
const CALL_GAS = 300_000n;

/** The code at an address: a contract, a delegation of the account's key to code (EIP-7702), or none. */
type CodeKind = "contract" | "delegation" | "none";

/**
 * Reads what kind of code an address has. A delegation is exactly 23 bytes: 0xef0100 and the address of the code (EIP-7702).
 * @throws RpcUnavailableError when the chain does not answer.
 */
export async function readCodeKind({ client, address, blockNumber }: PinnedContract): Promise<CodeKind> {
  const code = (await wrapRpcErrors(client.getCode({ address, blockNumber }))) ?? "0x";
  if (code === "0x") return "none";
  return /^0xef0100[0-9a-f]{40}$/i.test(code) ? "delegation" : "contract";
}

/**
 * Whether an address is a contract account, such as a Safe. An account that only delegates to code (EIP-7702) still
 * has a key, which is the same on every chain.
 * @throws RpcUnavailableError when the chain does not answer.
 */
export async function isContractAccount(account: PinnedContract): Promise<boolean> {
  return (await readCodeKind(account)) === "contract";
}

/** The word in a storage slot. */
export async function readSlot({ client, address, blockNumber }: PinnedContract, slot: Hex): Promise<Hex> {
  const word = await wrapRpcErrors(client.getStorageAt({ address, slot, blockNumber }));
  // Some nodes omit leading zeros.
  return `0x${(word ?? "0x").slice(2).padStart(64, "0")}`;
}

/**
 * The result of a capped call; undefined if the call fails. A contract that refers to a web address (EIP-3668) has failed,
 * because this server contacts no host that a contract names.
 */
export async function tryCall(
  contract: PinnedContract,
  data: Hex,
  gas: bigint = CALL_GAS,
): Promise<Hex | undefined> {
  try {
    return await callCapped(contract, data, gas);
  } catch (error) {
    if (isExecutionFailure(error) || (await isInternalOfContract(contract, data, gas, error)))
      return undefined;
    throw new RpcUnavailableError(error);
  }
}

async function callCapped(
  { client, address, blockNumber }: PinnedContract,
  data: Hex,
  gas: bigint,
): Promise<Hex | undefined> {
  // From the zero address; otherwise a node may use an account of its own.
  const parameters = { account: zeroAddress, to: address, data, gas, blockNumber };
  return (await call({ ...client, ccipRead: false as const }, parameters)).data;
}

/**
 * Returns true if "Internal error", which is all that Besu says of a halt, is the contract's fault: a call of an address
 * without code succeeds, and the call fails once more. A node that fails on its own fails both, or recovers.
 */
async function isInternalOfContract(
  contract: PinnedContract,
  data: Hex,
  gas: bigint,
  error: unknown,
): Promise<boolean> {
  const isInternal = (thrown: unknown) =>
    someRpcError(thrown, ({ details }) => /^internal error$/i.test(details));
  if (!isInternal(error)) return false;
  try {
    await callCapped({ ...contract, address: zeroAddress }, data, gas);
  } catch {
    return false;
  }
  return callCapped(contract, data, gas).then(() => false, isInternal);
}

/** The result of a capped call if it is exactly one word; undefined if the call fails or returns anything else. */
export async function tryCallWord(
  contract: PinnedContract,
  data: Hex,
  gas?: bigint,
): Promise<Hex | undefined> {
  const answer = await tryCall(contract, data, gas);
  return answer?.length === 66 ? answer : undefined;
}

/** The address that a call returns; undefined if it fails or returns anything but one address. */
export async function tryCallAddress(contract: PinnedContract, data: Hex): Promise<Address | undefined> {
  const word = await tryCallWord(contract, data);
  return word && toAddress(word);
}

/** A word that holds nothing but an address. */
export function toAddress(word: Hex): Address | undefined {
  return /^0x0{24}[0-9a-f]{40}$/i.test(word) ? getAddress(`0x${word.slice(26)}`) : undefined;
}

/** Codes of a call that ran and failed: geth's and Besu's for a revert, Nethermind's for any failure. */
const FAILED_CALL = [3, -32_015];

/**
 * How nodes word that a contract reverted or halted: geth, Erigon ("invalid opcode: INVALID", "stack limit reached"),
 * Reth and Anvil ("EVM error InvalidFEOpcode"), Hardhat ("VM Exception while …", "Transaction ran out of gas"), Besu
 * ("Execution reverted") and Nethermind ("VM execution error", "BadInstruction", "OutOfGas").
 */
const FAILED_WORDS =
  /revert|out ?of ?gas|memory ?oog|gas uint64|gas required exceeds|(invalid|bad|undefined) ?(fe)?(opcode|instruction|jump)|opcode ?not ?found|opcode \S{1,20} not defined|stack ?(over|under)flow|stack limit reached|out of stack|evm error|vm (execution error|exception)|return ?data out of bounds|write protection/i;

/**
 * Returns true if the node ran the call and the call failed. Nodes have no common error code for it (3, -32000, -32003,
 * -32015, -32603), so the message decides. Any other failure is the node's own and says nothing about the contract.
 */
function isExecutionFailure(error: unknown): boolean {
  return someRpcError(
    error,
    (cause) => FAILED_CALL.includes(cause.code) || FAILED_WORDS.test(collectMessages(cause)),
  );
}

function someRpcError(error: unknown, isWanted: (cause: RpcRequestError) => boolean): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof RpcRequestError && isWanted(cause)) return true;
  return false;
}

/** @throws RpcUnavailableError when the promise fails. */
export async function wrapRpcErrors<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw new RpcUnavailableError(error);
  }
}
