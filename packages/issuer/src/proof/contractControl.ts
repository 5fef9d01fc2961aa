import { type ContractAddress, type Finding, UnusableAddressError } from "@app-registry/outbound";
import { AppRegistryError, Interfaces, metadataSchema } from "@app-registry/sdk";
import {
  type Address,
  decodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  type PublicClient,
  parseAbi,
  zeroAddress,
} from "viem";
import { isAddressEqual } from "viem/utils";
import {
  type PinnedContract,
  readCodeKind,
  readSlot,
  toAddress,
  tryCall,
  tryCallAddress,
  tryCallWord,
  wrapRpcErrors,
} from "./contractReads.ts";

/** Methods to find the controller of a contract, in the order of use. */
export type OwnershipMethod =
  | "EIP-7702 key"
  | "owner()"
  | "getOwner()"
  | "admin()"
  | "EIP-1967 admin"
  | "EIP-1967 beacon"
  | "DEFAULT_ADMIN_ROLE";

type OwnershipResult = {
  way: OwnershipMethod;
  /** Account that the method returned, or `undefined` if the call failed or control was renounced. */
  owner?: Address;
  /** ProxyAdmin or beacon whose `owner()` was read. */
  through?: Address;
  /** Reason that there is no owner. */
  reason?: string;
  /** Role that the wallet lacks, for a contract with roles. */
  missingRole?: Hex;
};

/** Controller of a contract. The first method with an answer decides. Earlier ones are listed with their reasons. */
export type ContractControl = {
  chainId: number;
  address: Address;
  blockNumber: bigint;
  owner: Address | undefined;
  answers: OwnershipResult[];
};

const OWNER = "0x8da5cb5b";
const getters = [
  ["owner()", OWNER],
  ["getOwner()", "0x893d20e8"],
  ["admin()", "0xf851a440"],
] as const satisfies readonly (readonly [OwnershipMethod, Hex])[];
/** Storage slots of EIP-1967: keccak256("eip1967.proxy.admin") - 1 and keccak256("eip1967.proxy.beacon") - 1. */
const ADMIN_SLOT = "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103";
const BEACON_SLOT = "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";

/**
 * Reads the controller of a contract from `owner()`, else `getOwner()`, `admin()`, the EIP-1967 admin (the owner of a
 * ProxyAdmin, one hop), the owner of an EIP-1967 beacon, else OpenZeppelin's DEFAULT_ADMIN_ROLE. The first method with
 * an answer decides. The zero address is an answer (control was renounced), and so is the contract itself, which can't
 * control itself. An account that delegates to code (EIP-7702) belongs to its key, so its code is not called.
 * @throws {RpcUnavailableError} if the chain can't be read.
 * @throws {AppRegistryError} if the RPC serves another chain.
 */
export async function readContractControl(parameters: {
  client: PublicClient;
  chainId: number;
  address: Address;
  /** Wallet to check. Needed because a role can have many holders, which a contract does not list. */
  controller: Address;
}): Promise<ContractControl> {
  const { client, chainId, address, controller } = parameters;
  const [actualChainId, blockNumber] = await wrapRpcErrors(
    Promise.all([client.getChainId(), client.getBlockNumber({ cacheTime: 0 })]),
  );
  if (actualChainId !== chainId) {
    throw new AppRegistryError(`The RPC configured for chain ${chainId} serves chain ${actualChainId}.`, {
      action: `Fix RPC_URL_${chainId}.`,
    });
  }
  const answers = await readAnswers({ client, blockNumber, address }, chainId, controller);
  return { chainId, address: getAddress(address), blockNumber, owner: answers.at(-1)?.owner, answers };
}

/** Lists the results of all methods up to the decisive one. */
async function readAnswers(
  contract: PinnedContract,
  chainId: number,
  controller: Address,
): Promise<OwnershipResult[]> {
  const kind = await readCodeKind(contract);
  if (kind === "none") {
    return [{ way: "owner()", reason: `there is no contract at this address on chain ${chainId}` }];
  }
  // Don't call delegated code: its author chooses the answer, and the key can replace it at any time.
  if (kind === "delegation") return [{ way: "EIP-7702 key", owner: getAddress(contract.address) }];
  const answers: OwnershipResult[] = [];
  for (const [way, selector] of getters) {
    const named = await tryCallAddress(contract, selector);
    if (named) return [...answers, toOwnershipResult(way, named, contract)];
    answers.push({ way, reason: "the contract doesn't return an address for it" });
  }
  for (const [way, slot] of [
    ["EIP-1967 admin", ADMIN_SLOT],
    ["EIP-1967 beacon", BEACON_SLOT],
  ] as const) {
    const holder = toAddress(await readSlot(contract, slot));
    if (holder && !isAddressEqual(holder, zeroAddress)) {
      return [...answers, await readOwnerThrough(way, contract, { ...contract, address: holder })];
    }
    answers.push({ way, reason: "not set in this contract" });
  }
  return [...answers, await readDefaultAdmin(contract, controller)];
}

/** Converts a returned address to a result. @param asked Called contracts. None of them can be its own controller. */
function toOwnershipResult(
  way: OwnershipMethod,
  named: Address,
  ...asked: PinnedContract[]
): OwnershipResult {
  if (isAddressEqual(named, zeroAddress)) {
    return { way, reason: "it is the zero address, so control was renounced" };
  }
  if (asked.some(({ address }) => isAddressEqual(named, address))) {
    return { way, reason: `it points to ${named} itself, and a contract can't control itself` };
  }
  return { way, owner: named };
}

/** Reads the owner of a ProxyAdmin or beacon, one hop. */
async function readOwnerThrough(
  way: "EIP-1967 admin" | "EIP-1967 beacon",
  contract: PinnedContract,
  holder: PinnedContract,
): Promise<OwnershipResult> {
  const kind = await readCodeKind(holder);
  const owner = kind === "contract" ? await tryCallAddress(holder, OWNER) : undefined;
  if (owner) return { ...toOwnershipResult(way, owner, contract, holder), through: holder.address };
  // An admin without an owner controls the contract itself, and so does a key that delegates to the code of a beacon.
  if (way === "EIP-1967 admin" || kind === "delegation")
    return toOwnershipResult(way, holder.address, contract);
  return { way, through: holder.address, reason: `the beacon ${holder.address} has no owner` };
}

const accessControlAbi = parseAbi([
  "function supportsInterface(bytes4 interfaceId) view returns (bool)",
  "function hasRole(bytes32 role, address account) view returns (bool)",
]);

const supports = (interfaceId: Hex) =>
  encodeFunctionData({ abi: accessControlAbi, functionName: "supportsInterface", args: [interfaceId] });
const DEFAULT_ADMIN_ROLE: Hex = `0x${"00".repeat(32)}`;
const TRUE: Hex = `0x${"00".repeat(31)}01`;

/**
 * Checks whether the wallet holds the DEFAULT_ADMIN_ROLE of a contract that declares OpenZeppelin's IAccessControl.
 * Follows the detection steps of ERC-165, so a contract that returns true for every call does not pass.
 */
async function readDefaultAdmin(contract: PinnedContract, controller: Address): Promise<OwnershipResult> {
  const way = "DEFAULT_ADMIN_ROLE";
  const isTrue = async (data: Hex) => (await tryCallWord(contract, data)) === TRUE;
  const declared =
    (await isTrue(supports("0x01ffc9a7"))) &&
    !(await isTrue(supports("0xffffffff"))) &&
    (await isTrue(supports("0x7965db0b")));
  if (!declared) return { way, reason: "the contract does not declare IAccessControl (ERC-165)" };
  const args = [DEFAULT_ADMIN_ROLE, controller] as const;
  const holds = await isTrue(encodeFunctionData({ abi: accessControlAbi, functionName: "hasRole", args }));
  return holds
    ? toOwnershipResult(way, getAddress(controller), contract)
    : { way, reason: `${getAddress(controller)} does not hold it`, missingRole: DEFAULT_ADMIN_ROLE };
}

/** Selector of `name()`, which tokens and many other contracts implement. */
const NAME = "0x06fdde03";

/** Chains with a configured RPC. */
export type ReadableChains = {
  chainIds: readonly number[];
  chainClient: (chainId: number) => PublicClient | undefined;
};

/**
 * Reads the contracts at an address: one finding per chain that has code there, with the contract's `name()` and the
 * account that `owner()` or a similar method returns. Skips an account that delegates to code (EIP-7702).
 *
 * @throws {UnusableAddressError} if the chain is not configured.
 * @throws {RpcUnavailableError} if a chain does not respond.
 * @example
 * const { address } = deployment.contracts.AppRegistry;
 * const chains = { chainIds: [deployment.chainId], chainClient: () => publicClient };
 * const [finding] = await readContractFindings({ chainId: undefined, address }, chains);
 * finding?.metadata; // { name: "App Registry" }
 */
export async function readContractFindings(
  { chainId, address }: ContractAddress,
  chains: ReadableChains,
): Promise<Finding[]> {
  const asked = chains.chainIds.filter((id) => chainId === undefined || id === chainId);
  if (asked.length === 0) {
    throw new UnusableAddressError(
      address,
      `This registry can't read chain ${chainId}. Supported: ${formatChainList(chains)}.`,
    );
  }
  const findings = await Promise.all(asked.map((id) => readContract(id, chains.chainClient(id), address)));
  return findings.filter((finding) => finding !== undefined);
}

const formatChainList = ({ chainIds }: ReadableChains): string =>
  new Intl.ListFormat("en").format(chainIds.map((id) => `chain ${id}`));

async function readContract(
  chainId: number,
  client: PublicClient | undefined,
  address: Address,
): Promise<Finding | undefined> {
  if (!client) return undefined;
  const blockNumber = await wrapRpcErrors(client.getBlockNumber({ cacheTime: 0 }));
  const contract: PinnedContract = { client, blockNumber, address };
  if ((await readCodeKind(contract)) !== "contract") return undefined;
  const [name, { owner }] = await Promise.all([
    readName(contract),
    readContractControl({ client, chainId, address, controller: zeroAddress }),
  ]);
  return {
    kind: "contract",
    url: `did:pkh:eip155:${chainId}:${address.toLowerCase()}`,
    metadata: name === undefined ? {} : { name },
    interfaces: Interfaces.Contract,
    offers: [],
    ...(owner && { owner }),
  };
}

/** Reads `name()`. Returns `undefined` if the result is not a valid name for a metadata JSON. */
async function readName(contract: PinnedContract): Promise<string | undefined> {
  const data = await tryCall(contract, NAME);
  const name = data && decodeText(data)?.trim();
  return name && metadataSchema.shape.name.safeParse(name).success ? name : undefined;
}

function decodeText(data: Hex): string | undefined {
  try {
    return decodeAbiParameters([{ type: "string" }], data)[0];
  } catch {
    return undefined;
  }
}
