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

/**
 * Gas limit of a call. It suffices for several signers or a curve computed in Solidity, and limits untrusted contracts.
 */
const SIGNATURE_GAS = 3_000_000n;

const erc1271 = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);
/** Return value of `isValidSignature` for a valid signature: its own selector (ERC-1271). */
const MAGIC_VALUE = "0x1626ba7e";

export type VerifyWalletSignatureParameters = {
  /** Client of the registry's chain. */
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
