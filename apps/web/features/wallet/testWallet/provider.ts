import {
  type Address,
  type Chain,
  createPublicClient,
  createWalletClient,
  type EIP1193Parameters,
  type Hex,
  hexToBigInt,
  hexToNumber,
  http,
  type LocalAccount,
  numberToHex,
  SwitchChainError,
  UserRejectedRequestError,
} from "viem";
import type { Confirmations } from "./confirmations.ts";

export interface TestWalletParameters {
  account: LocalAccount;
  accountName: string;
  /** The registry's chain, the only one that this wallet can reach. */
  chain: Chain;
  /** The chain on which the wallet stands now. */
  chainId: number;
  confirmations: Confirmations;
  onChainChanged: (chainId: number) => void;
}

interface TransactionRequest {
  to?: Address;
  data?: Hex;
  value?: Hex;
  gas?: Hex;
}

/** An EIP-1193 wallet over a local account: it signs in the page, and only what the person confirms. */
export function createTestWallet(parameters: TestWalletParameters) {
  const { account, chain, confirmations } = parameters;
  const publicClient = createPublicClient({ chain, transport: http() });
  const walletClient = createWalletClient({ account, chain, transport: http() });
  let chainId = parameters.chainId;

  async function sendTransaction({ to, data, value, gas }: TransactionRequest): Promise<Hex> {
    if (chainId !== chain.id) throw new SwitchChainError(new Error(`This wallet is on chain ${chainId}.`));
    const request = { to: to ?? null, ...(data && { data }), value: value ? hexToBigInt(value) : 0n };
    const limit = gas ? hexToBigInt(gas) : await publicClient.estimateGas({ account, ...request });
    const { maxFeePerGas } = await publicClient.estimateFeesPerGas();
    const confirmed = await confirmations.ask({
      account: parameters.accountName,
      from: account.address,
      to,
      data,
      value: request.value,
      gas: limit,
      gasPrice: maxFeePerGas,
    });
    if (!confirmed) throw new UserRejectedRequestError(new Error("Rejected in the confirmation."));
    return walletClient.sendTransaction({ ...request, gas: limit });
  }

  function switchChain(target: number): null {
    if (target !== chain.id && target !== parameters.chainId) {
      throw new SwitchChainError(new Error(`Chain ${target} is not known to this wallet.`));
    }
    chainId = target;
    parameters.onChainChanged(target);
    return null;
  }

  return {
    async request({
      method,
      params,
    }: EIP1193Parameters | { method: string; params?: unknown }): Promise<unknown> {
      const first = Array.isArray(params) ? (params[0] as unknown) : undefined;
      switch (method) {
        case "eth_accounts":
        case "eth_requestAccounts":
          return [account.address];
        case "eth_chainId":
          return numberToHex(chainId);
        case "wallet_switchEthereumChain":
          return switchChain(hexToNumber((first as { chainId: Hex }).chainId));
        case "eth_sendTransaction":
          return sendTransaction(first as TransactionRequest);
        default:
          return publicClient.request({ method, params } as never);
      }
    },
  };
}

export type TestWallet = ReturnType<typeof createTestWallet>;
