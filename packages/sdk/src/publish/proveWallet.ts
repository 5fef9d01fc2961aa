import { type Account, type Address, type Hex, isAddressEqual } from "viem";
import { signMessage } from "viem/actions";
import type { AppRegistryClient } from "../client/index.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { NoAccountError } from "../errors/walletErrors.ts";

/** A Sign-In with Ethereum message (EIP-4361), signed. */
export type WalletProof = { message: string; signature: Hex };

/** Signs a message (EIP-191). */
export type SignMessage = (message: string) => Promise<Hex>;

/**
 * Signs with a client's wallet as an account; `openClient` is called when a message is to be signed.
 *
 * @throws {NoAccountError} when the client has no wallet, {@link RequestRejectedError}; both when a message is signed.
 * @example
 * const sign = messageSigner(() => client, controller);
 * const signature = await sign("A message");
 * signature.length; // 132
 */
export function messageSigner(
  openClient: () => AppRegistryClient | Promise<AppRegistryClient>,
  account: Account | Address,
): SignMessage {
  return async (message) => {
    const { walletClient } = await openClient();
    if (!walletClient) throw new NoAccountError();
    try {
      // Given by its address, the wallet's own account still signs by itself when its key is at hand.
      const own = walletClient.account;
      const isOwn = own && typeof account === "string" && isAddressEqual(own.address, account);
      return await signMessage(walletClient, { account: isOwn ? own : account, message });
    } catch (error) {
      throw toAppRegistryError(error);
    }
  };
}

type ProveWalletParameters = {
  /** Origin of the registry web service. The message names it and no other site, whatever the service says. */
  baseUrl: string;
  connectedAddress: Address;
  signMessage: SignMessage;
  /** Answers the service's `GET /api/nonce`. */
  readNonce: () => Promise<Record<string, unknown>>;
};

/** Has a wallet sign that its holder asks a registry web service for an attestation. */
export async function proveWallet(parameters: ProveWalletParameters): Promise<WalletProof> {
  const { baseUrl, connectedAddress, signMessage, readNonce } = parameters;
  const { createSiweMessage } = await import("viem/siwe");
  const { nonce, chainId, expiresAt } = await readNonce();
  const { host, origin } = new URL(baseUrl);
  const message = createSiweMessage({
    address: connectedAddress,
    chainId: Number(chainId),
    domain: host,
    uri: origin,
    nonce: String(nonce),
    expirationTime: new Date(String(expiresAt)),
    statement: "Have this registry attest what this wallet controls. It costs nothing.",
    version: "1",
  });
  return { message, signature: await signMessage(message) };
}
