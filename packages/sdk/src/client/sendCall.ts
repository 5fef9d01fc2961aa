import {
  type Account,
  type Address,
  BaseError,
  ChainMismatchError,
  defineChain,
  encodeFunctionData,
  type Hash,
} from "viem";
import { getChainId, prepareTransactionRequest, simulateContract, writeContract } from "viem/actions";
import type { AppRegistryError } from "../errors/appRegistryError.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { InsufficientFundsError, NoAccountError, WrongChainError } from "../errors/walletErrors.ts";
import type { ClientContext, PreparedCall } from "./context.ts";
import { explainNotRegistered } from "./notRegistered.ts";
import { findInsufficientFunds } from "./shortfall.ts";

/** Sends a transaction with the given fields. */
export type Submit = (fields: { nonce: number }) => Promise<Hash>;

/** Sends transactions one after another, each with its nonce. */
export type SendQueue = (submit: Submit) => Promise<Hash>;

/** Options of every write. */
export type SendOptions = {
  /** Account that sends. Default: the wallet's own. */
  account?: Account | Address | undefined;
};

/**
 * Simulates a call at the latest block, so that a refusal costs nothing and throws the contract's own error. Then sends
 * the call and returns the transaction hash without waiting for confirmation.
 */
export async function sendCall(
  context: ClientContext,
  call: PreparedCall,
  { account: given }: SendOptions = {},
  queue?: SendQueue,
): Promise<Hash> {
  const { walletClient, publicClient, deployment } = context;
  const account = given ?? walletClient?.account;
  if (!walletClient || !account) throw new NoAccountError();
  try {
    const chainId = await getChainId(walletClient);
    if (chainId !== deployment.chainId) throw new WrongChainError(deployment.chainId, chainId, "wallet");
    await simulateContract(publicClient, { ...call, account });
    // The wallet may have changed its chain since. viem checks again, and the signature is only valid on this chain.
    const request = { ...call, account, chain: toViemChain(deployment) };
    if (!queue) return await writeContract(walletClient, request);
    const { gas, maxFeePerGas, maxPriorityFeePerGas } = await prepareTransactionRequest(publicClient, {
      ...{ account, chain: request.chain, to: call.address, data: encodeFunctionData(call) },
      parameters: ["type", "fees", "gas"],
    });
    // Add a quarter: a call costs more if a transaction before it changes the same storage.
    const fields = { ...{ maxFeePerGas, maxPriorityFeePerGas }, gas: (gas * 5n) / 4n };
    return await queue(({ nonce }) => writeContract(walletClient, { ...request, ...fields, nonce }));
  } catch (error) {
    if (error instanceof BaseError && error.walk((cause) => cause instanceof ChainMismatchError)) {
      throw new WrongChainError(deployment.chainId, await getChainId(walletClient), "wallet");
    }
    const address = typeof account === "string" ? account : account.address;
    throw await explainRefusal(context, call, address, toAppRegistryError(error));
  }
}

/** Adds details from the chain to an error: the registered versions, or the amount that the account lacks. */
async function explainRefusal(
  context: ClientContext,
  call: PreparedCall,
  account: Address,
  error: AppRegistryError,
): Promise<AppRegistryError> {
  if (!(error instanceof InsufficientFundsError)) return explainNotRegistered(context, call.args, error);
  const shortfall = await findInsufficientFunds(context, call, account, { cause: error.cause }).catch(
    () => undefined,
  );
  return shortfall ?? error;
}

/** Returns the chain definition that viem needs to send a transaction. */
const toViemChain = ({ chainId: id, network: name }: ClientContext["deployment"]) =>
  defineChain({
    id,
    name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [] } },
  });
