import type { AttestationWay, Did } from "@app-registry/sdk";
import { getDidContract } from "@app-registry/sdk/internal";
import { type Address, getAddress, type Hex } from "viem";
import { encodeFunctionData } from "viem/utils";

/** Call with which a contract's owner makes a wallet its owner. */
export interface OwnershipTransfer {
  /** Owner that the contract reports, or undefined if it reports no account that could make the call. */
  owner: Address | undefined;
  chainId: number;
  contract: Address;
  /** Readable form of the call: `transferOwnership(0x…)`. */
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
 * Returns the call that would give a wallet control of a did:pkh, based on the last check that was tried. Returns
 * `undefined` if no single call does, for example for a proxy's admin.
 */
export function createOwnershipTransfer(
  did: string | Did,
  wallet: Address,
  ways: readonly AttestationWay[],
): OwnershipTransfer | undefined {
  const named = getDidContract(did);
  const decisive = ways.at(-1);
  if (named === undefined || decisive === undefined) return undefined;
  const { chainId } = named;
  const contract = getAddress(named.address);
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
