import { type AttestationWay, type Did, parseDid } from "@app-registry/sdk";
import { type Address, getAddress, type Hex } from "viem";
import { encodeFunctionData } from "viem/utils";

/** The call by which a contract's owner makes a wallet its owner. */
export interface OwnershipTransfer {
  /** Whom the contract names now; undefined where it names nobody who could make the call. */
  owner: Address | undefined;
  chainId: number;
  contract: Address;
  /** As people read it: `transferOwnership(0x…)`. */
  call: string;
  data: Hex;
}

const abi = [
  {
    type: "function",
    name: "transferOwnership",
    stateMutability: "nonpayable",
    inputs: [{ name: "newOwner", type: "address" }],
    outputs: [],
  },
  {
    type: "function",
    name: "grantRole",
    stateMutability: "nonpayable",
    inputs: [
      { name: "role", type: "bytes32" },
      { name: "account", type: "address" },
    ],
    outputs: [],
  },
] as const;

/**
 * The call that would make a wallet control a did:pkh, by the way that decided against it: the last one that was tried.
 * Undefined where no one call does: a proxy's admin is changed in ways of its own.
 */
export function createOwnershipTransfer(
  did: string | Did,
  wallet: Address,
  ways: readonly AttestationWay[],
): OwnershipTransfer | undefined {
  const parsed = typeof did === "string" ? parseDid(did) : did;
  const decisive = ways.at(-1);
  if (parsed.method !== "pkh" || decisive === undefined) return undefined;
  const { chainId } = parsed;
  const contract = getAddress(parsed.address);
  const { way, owner, missingRole } = decisive;
  if (owner !== undefined && (way === "owner()" || way === "getOwner()")) {
    const data = encodeFunctionData({ abi, functionName: "transferOwnership", args: [wallet] });
    return { owner, chainId, contract, call: `transferOwnership(${wallet})`, data };
  }
  if (missingRole !== undefined) {
    const data = encodeFunctionData({ abi, functionName: "grantRole", args: [missingRole, wallet] });
    return { owner: undefined, chainId, contract, call: `grantRole(${missingRole}, ${wallet})`, data };
  }
  return undefined;
}
