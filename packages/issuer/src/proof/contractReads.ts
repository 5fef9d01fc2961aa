import { RpcUnavailableError } from "@app-registry/sdk";
import { collectMessages } from "@app-registry/sdk/internal";
import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  hashMessage,
  isAddressEqual,
  type PublicClient,
  parseAbi,
  RpcRequestError,
  recoverAddress,
  zeroAddress,
} from "viem";
import { call } from "viem/actions";

/** Contract at one block of one chain. */
export type PinnedContract = { client: PublicClient; blockNumber: bigint; address: Address };

/**
 * Gas limit of a call. It suffices for an owner behind a proxy, and limits the computation of a hostile contract and,
 * because memory costs gas, the size of its result to about 350 kB.
 */
const CALL_GAS = 300_000n;

/** Kind of code at an address: a contract, a delegation by the account's key (EIP-7702), or none. */
type CodeKind = "contract" | "delegation" | "none";

/**
 * Reads the kind of code at an address. A delegation is exactly 23 bytes: 0xef0100 and the address of the code
 * (EIP-7702).
 * @throws {RpcUnavailableError} if the chain does not respond.
 */
export async function readCodeKind({ client, address, blockNumber }: PinnedContract): Promise<CodeKind> {
  const code = (await wrapRpcErrors(client.getCode({ address, blockNumber }))) ?? "0x";
  if (code === "0x") return "none";
  return /^0xef0100[0-9a-f]{40}$/i.test(code) ? "delegation" : "contract";
}

/**
 * Returns true if an address is a contract account, such as a Safe. Returns false for an account that delegates to code
 * (EIP-7702), because it still has a key, which is the same on every chain.
 * @throws {RpcUnavailableError} if the chain does not respond.
 */
export async function isContractAccount(account: PinnedContract): Promise<boolean> {
  return (await readCodeKind(account)) === "contract";
}

export async function readSlot({ client, address, blockNumber }: PinnedContract, slot: Hex): Promise<Hex> {
  const word = await wrapRpcErrors(client.getStorageAt({ address, slot, blockNumber }));
  // Pad the word, because some nodes omit leading zeros.
  return `0x${(word ?? "0x").slice(2).padStart(64, "0")}`;
}

/**
 * Calls a contract with limited gas. Returns `undefined` if the call fails. An offchain lookup (EIP-3668) counts as a
 * failure, because this server does not contact hosts that a contract chooses.
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
  // Call from the zero address, because a node may otherwise use an account of its own.
  const parameters = { account: zeroAddress, to: address, data, gas, blockNumber };
  return (await call({ ...client, ccipRead: false as const }, parameters)).data;
}

/**
 * Returns true if the contract caused an "Internal error", which is Besu's only message for a halt: then a call to an
 * address without code succeeds and a repeated call fails. If the node is the cause, both calls fail or both succeed.
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

/** Calls a contract with limited gas. Returns `undefined` if the call fails or does not return exactly one word. */
export async function tryCallWord(
  contract: PinnedContract,
  data: Hex,
  gas?: bigint,
): Promise<Hex | undefined> {
  const answer = await tryCall(contract, data, gas);
  return answer?.length === 66 ? answer : undefined;
}

/** Calls a contract with limited gas. Returns `undefined` if the call fails or does not return exactly one address. */
export async function tryCallAddress(contract: PinnedContract, data: Hex): Promise<Address | undefined> {
  const word = await tryCallWord(contract, data);
  return word && toAddress(word);
}

/** Converts a word to an address. Returns `undefined` if its upper 12 bytes are not zero. */
export function toAddress(word: Hex): Address | undefined {
  return /^0x0{24}[0-9a-f]{40}$/i.test(word) ? getAddress(`0x${word.slice(26)}`) : undefined;
}

/** Error codes of a failed execution: 3 for a revert (geth, Besu), -32015 for any failure (Nethermind). */
const FAILED_CALL = [3, -32_015];

/**
 * Error messages of nodes for a contract that reverted or halted: geth, Erigon ("invalid opcode: INVALID", "stack limit
 * reached"), Reth and Anvil ("EVM error InvalidFEOpcode"), Hardhat ("VM Exception while …", "Transaction ran out of
 * gas"), Besu ("Execution reverted") and Nethermind ("VM execution error", "BadInstruction", "OutOfGas").
 */
const FAILED_WORDS =
  /revert|out ?of ?gas|memory ?oog|gas uint64|gas required exceeds|(invalid|bad|undefined) ?(fe)?(opcode|instruction|jump)|opcode ?not ?found|opcode \S{1,20} not defined|stack ?(over|under)flow|stack limit reached|out of stack|evm error|vm (execution error|exception)|return ?data out of bounds|write protection/i;

/**
 * Returns true if the node executed the call and the call failed. Nodes use different error codes for that (3, -32000,
 * -32003, -32015, -32603), so the message decides. Any other error is a failure of the node, not of the contract.
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

/** Awaits a promise. @throws {RpcUnavailableError} if it rejects. */
export async function wrapRpcErrors<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw new RpcUnavailableError(error);
  }
}

/**
 * Gas limit of a call. It suffices for several signers or a curve computed in Solidity, and limits untrusted contracts.
 */
const SIGNATURE_GAS = 3_000_000n;

const erc1271 = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);
/** Return value of `isValidSignature` for a valid signature: its own selector (ERC-1271). */
const MAGIC_VALUE = "0x1626ba7e";

export type VerifyWalletSignatureParameters = {
  client: PublicClient;
  address: Address;
  message: string;
  signature: Hex;
};

/**
 * Returns true if a wallet signed a message (EIP-191): by its key or, for a deployed contract, by ERC-1271. An account
 * that delegates to code (EIP-7702) belongs to its key, regardless of the code. Rejects a signature that first deploys
 * its contract (ERC-6492) or delegates to it (ERC-8010), because an account without code is assumed to be a key, which
 * is the same account on every chain, unlike a contract.
 * @throws {RpcUnavailableError} if the chain does not respond. Not needed for a key's signature.
 * @example
 * const message = "Registered with this wallet.";
 * const signature = await account.signMessage({ message });
 * const { address } = account;
 * await verifyWalletSignature({ client: publicClient, address, message, signature }); // true
 */
export async function verifyWalletSignature(parameters: VerifyWalletSignatureParameters): Promise<boolean> {
  const { client, address, message, signature } = parameters;
  const hash = hashMessage(message);
  const signer = await recoverAddress({ hash, signature }).catch(() => undefined);
  if (signer && isAddressEqual(signer, address)) return true;
  const blockNumber = await wrapRpcErrors(client.getBlockNumber({ cacheTime: 0 }));
  const account = { client, address, blockNumber };
  if (!(await isContractAccount(account))) return false;
  const data = encodeFunctionData({ abi: erc1271, args: [hash, signature] });
  return (await tryCallWord(account, data, SIGNATURE_GAS))?.startsWith(MAGIC_VALUE) ?? false;
}
