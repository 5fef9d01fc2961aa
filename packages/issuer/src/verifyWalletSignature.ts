import {
  type Address,
  encodeFunctionData,
  type Hex,
  hashMessage,
  isAddressEqual,
  type PublicClient,
  parseAbi,
  recoverAddress,
} from "viem";
import { isContractAccount, tryCallWord, wrapRpcErrors } from "./contractReads.ts";

/** Enough for several signers and for a curve that Solidity computes; it caps what a stranger's contract can cost. */
const SIGNATURE_GAS = 3_000_000n;

const erc1271 = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);
/** The selector of `isValidSignature`, with which a contract says yes (ERC-1271). */
const MAGIC_VALUE = "0x1626ba7e";

export type VerifyWalletSignatureParameters = {
  /** Reads the registry's chain. */
  client: PublicClient;
  address: Address;
  message: string;
  signature: Hex;
};

/**
 * Whether a wallet signed a message (EIP-191): its key did or, if it is a contract now, the contract says so (ERC-1271).
 * An account that delegates to code (EIP-7702) belongs to its key, whatever the code says. Refuses a signature that first
 * deploys its contract (ERC-6492) or delegates to it (ERC-8010): an account without code counts as a key, which is the
 * same account on every chain, and a contract is not.
 * @throws RpcUnavailableError when the chain doesn't answer; a key's signature needs no answer.
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
