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

/** The signer has no provider, or one without JSON-RPC, so it can't read the chain. */
export class EthersProviderError extends AppRegistryError {
  override readonly name = "EthersProviderError";

  constructor() {
    super("The signer's provider doesn't support JSON-RPC.", {
      action: "Connect the signer to a JsonRpcProvider, a WebSocketProvider or a BrowserProvider.",
      docsPath: "/sdk#ethers",
    });
  }
}

/** What every JSON-RPC provider of ethers has. */
type JsonRpcSender = { send(method: string, parameters: unknown[]): Promise<unknown> };

/**
 * Turns an ethers signer into the two clients that `createAppRegistryClient` takes: the signer's provider reads the
 * chain, and the signer sends.
 *
 * @throws {EthersProviderError} when the signer's provider does not speak JSON-RPC.
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
  // ethers retries by itself.
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

/** The signer chooses what the call leaves open: nonce, gas and fees. */
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
  // The signer refuses a chain other than its provider's.
  ...(chainId !== undefined && { chainId: Number(chainId) }),
});

/** ethers wraps the answer of a node or a wallet in its own error; viem reads the answer itself. */
function unwrapEthersError(error: unknown): unknown {
  if (isError(error, "ACTION_REJECTED")) return { code: 4001, message: error.shortMessage };
  const { info, error: inner } = error as { info?: { error?: unknown }; error?: unknown };
  return info?.error ?? inner ?? error;
}
