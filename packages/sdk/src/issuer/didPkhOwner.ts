import { type Address, getAddress, type Hex, type PublicClient, RpcRequestError, zeroAddress } from "viem";
import { isAddressEqual } from "viem/utils";
import { AppRegistryError, RpcUnavailableError } from "../errors/index.ts";

/** A way to learn who controls a contract. */
export type OwnerWay = "owner()" | "getOwner()" | "admin()" | "EIP-1967 admin";

/** What one way answered. */
type OwnerAnswer = {
  way: OwnerWay;
  /** The account that it names; undefined when the contract does not answer it or gave its control up. */
  owner?: Address;
  /** The ProxyAdmin whose `owner()` was taken. */
  proxyAdmin?: Address;
  /** Why it names nobody. */
  reason?: string;
};

/** Who controls a contract: the first way that answers decides, the ones before it are listed with their reason. */
export type ContractControl = {
  chainId: number;
  address: Address;
  /** The block at which everything was read. */
  blockNumber: bigint;
  owner: Address | undefined;
  answers: OwnerAnswer[];
};

/** Enough for an owner behind a proxy; caps what a hostile contract can compute and, by memory cost, return. */
const CALL_GAS = 300_000n;
const getters = [
  ["owner()", "0x8da5cb5b"],
  ["getOwner()", "0x893d20e8"],
  ["admin()", "0xf851a440"],
] as const satisfies readonly (readonly [OwnerWay, Hex])[];
/** keccak256("eip1967.proxy.admin") - 1, EIP-1967. */
const ADMIN_SLOT = "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103";

/**
 * Reads who controls a contract: `owner()`, else `getOwner()`, else `admin()`, else the EIP-1967 admin, where a
 * ProxyAdmin's own `owner()` is taken (one hop). The first that answers with an address decides; the zero address is
 * an answer too: control was given up.
 * @throws RpcUnavailableError when the chain can't be read, AppRegistryError when the RPC serves another chain.
 */
export async function readContractControl(parameters: {
  client: PublicClient;
  chainId: number;
  address: Address;
}): Promise<ContractControl> {
  const { client, chainId, address } = parameters;
  const [actualChainId, blockNumber] = await unlessUnavailable(
    Promise.all([client.getChainId(), client.getBlockNumber({ cacheTime: 0 })]),
  );
  if (actualChainId !== chainId) {
    throw new AppRegistryError(`The RPC configured for chain ${chainId} serves chain ${actualChainId}.`, {
      action: `Correct RPC_URL_${chainId}.`,
    });
  }
  const contract = { client, blockNumber, address };
  const control = (answers: OwnerAnswer[]): ContractControl => ({
    chainId,
    address: getAddress(address),
    blockNumber,
    owner: answers.at(-1)?.owner,
    answers,
  });

  if (!(await hasCode(contract))) {
    const reason = `there is no contract at this address on chain ${chainId}`;
    return control([{ way: "owner()", reason }]);
  }
  const answers: OwnerAnswer[] = [];
  for (const [way, selector] of getters) {
    const named = await callForAddress(contract, selector);
    answers.push(answer(way, named));
    if (named !== undefined) return control(answers);
  }
  answers.push(await readProxyAdmin(contract));
  return control(answers);
}

type Contract = { client: PublicClient; blockNumber: bigint; address: Address };

function answer(way: OwnerWay, named: Address | undefined): OwnerAnswer {
  if (named === undefined) return { way, reason: "the contract does not answer it with an address" };
  if (isAddressEqual(named, zeroAddress))
    return { way, reason: "it is the zero address: control was given up" };
  return { way, owner: named };
}

async function readProxyAdmin(contract: Contract): Promise<OwnerAnswer> {
  const { client, blockNumber, address } = contract;
  const word = await unlessUnavailable(client.getStorageAt({ address, slot: ADMIN_SLOT, blockNumber }));
  const admin = word && toAddress(word.length < 66 ? `0x${word.slice(2).padStart(64, "0")}` : word);
  const way = "EIP-1967 admin";
  if (!admin || isAddressEqual(admin, zeroAddress)) return { way, reason: "the contract has none" };
  const adminContract = { ...contract, address: admin };
  if (!(await hasCode(adminContract))) return { way, owner: admin };
  const owner = await callForAddress(adminContract, "0x8da5cb5b");
  if (owner === undefined) return { way, owner: admin };
  return { ...answer(way, owner), proxyAdmin: admin };
}

async function hasCode({ client, address, blockNumber }: Contract): Promise<boolean> {
  const code = await unlessUnavailable(client.getCode({ address, blockNumber }));
  return code !== undefined && code !== "0x";
}

/** The address that a getter returns; undefined when the call reverts or returns anything but one address. */
async function callForAddress(contract: Contract, selector: Hex): Promise<Address | undefined> {
  const { client, address, blockNumber } = contract;
  try {
    const { data } = await client.call({ to: address, data: selector, gas: CALL_GAS, blockNumber });
    return data && toAddress(data);
  } catch (error) {
    if (isExecutionFailure(error)) return undefined;
    throw new RpcUnavailableError(error);
  }
}

/** A word that holds nothing but an address. */
function toAddress(word: Hex): Address | undefined {
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

async function unlessUnavailable<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw new RpcUnavailableError(error);
  }
}
