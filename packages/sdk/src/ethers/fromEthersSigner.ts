import { isError, type Signer, type TransactionRequest } from "ethers";
import {
  type Client,
  createPublicClient,
  createWalletClient,
  custom,
  getAddress,
  type Hex,
  type RpcTransactionRequest,
} from "viem";
import { AppRegistryError } from "../errors/appRegistryError.ts";

/** Thrown when the signer has no provider, or one without JSON-RPC, so that it cannot read the chain. */
export class EthersProviderError extends AppRegistryError {
  override readonly name = "EthersProviderError";

  constructor() {
    super("The signer's provider doesn't support JSON-RPC.", {
      action: "Connect the signer to a JsonRpcProvider, a WebSocketProvider or a BrowserProvider.",
      docsPath: "/sdk#ethers",
    });
  }
}

/** Method that every JSON-RPC provider of ethers has. */
type JsonRpcSender = { send(method: string, parameters: unknown[]): Promise<unknown> };

/**
 * Converts an ethers signer to the two clients that `createAppRegistryClient` takes. The signer's provider reads the
 * chain, and the signer sends.
 *
 * @throws {EthersProviderError} when the signer's provider does not support JSON-RPC.
 * @example
 * const client = createAppRegistryClient({ deployment, ...(await fromEthersSigner(signer)) });
 * const hash = await client.updateStatus({ did, major: 1, status: 1 });
 * await client.waitForReceipt({ hash });
 */
export async function fromEthersSigner(
  signer: Signer,
): Promise<{ publicClient: Client; walletClient: Client }> {
  const provider = getJsonRpcProvider(signer);
  const request: Request = async ({ method, params = [] }) => {
    try {
      if (method !== "eth_sendTransaction") return await provider.send(method, params);
      const [transaction] = params as [RpcTransactionRequest];
      return (await signer.sendTransaction(toEthers(transaction))).hash;
    } catch (error) {
      throw unwrapEthersError(error);
    }
  };
  // ethers retries requests itself.
  const transport = custom({ request }, { retryCount: 0 });
  const account = getAddress(await signer.getAddress());
  return {
    publicClient: createPublicClient({ transport }),
    walletClient: createWalletClient({ transport, account }),
  };
}

type Request = (call: { method: string; params?: unknown[] }) => Promise<unknown>;

function getJsonRpcProvider({ provider }: Signer): JsonRpcSender {
  if (provider === null || !("send" in provider) || typeof provider.send !== "function") {
    throw new EthersProviderError();
  }
  return provider as unknown as JsonRpcSender;
}

/** Converts a transaction request to that of ethers. The signer chooses the missing nonce, gas and fees. */
const toEthers = ({
  from,
  to,
  data,
  value,
  gas,
  nonce,
  chainId,
}: RpcTransactionRequest & { chainId?: Hex | undefined }): TransactionRequest => ({
  ...(from && { from }),
  ...(to && { to }),
  ...(data && { data }),
  ...(value && { value }),
  ...(gas && { gasLimit: gas }),
  ...(nonce && { nonce: Number(nonce) }),
  // Pass the chain id, so that the signer refuses a transaction for a chain other than its provider's.
  ...(chainId !== undefined && { chainId: Number(chainId) }),
});

/** Returns the error of the node or the wallet inside an error of ethers, in the form that viem reads. */
function unwrapEthersError(error: unknown): unknown {
  if (isError(error, "ACTION_REJECTED")) return { code: 4001, message: error.shortMessage };
  const { info, error: inner } = error as { info?: { error?: unknown }; error?: unknown };
  return info?.error ?? inner ?? error;
}
