import { type Account, type Address, type Hex, isAddressEqual } from "viem";
import { signMessage } from "viem/actions";
import * as z from "zod/mini";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import type { CanonicalDid } from "../did.ts";
import { ServiceUnavailableError } from "../errors/networkErrors.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { NoAccountError } from "../errors/walletErrors.ts";

/** Signed Sign-In with Ethereum message (EIP-4361). */
export type WalletProof = { message: string; signature: Hex };

/** Function that signs a message (EIP-191). */
export type SignMessage = (message: string) => Promise<Hex>;

/**
 * Creates a function that signs messages as an account with a client's wallet. Calls `openClient` only when there is a
 * message to sign.
 *
 * @throws {NoAccountError} on signing, when the client has no wallet.
 * @throws {RequestRejectedError} on signing, when the person declines.
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
      // Use the wallet's own account for its address: with a local key it can sign without a request to the RPC.
      const own = walletClient.account;
      const isOwn = own && typeof account === "string" && isAddressEqual(own.address, account);
      return await signMessage(walletClient, { account: isOwn ? own : account, message });
    } catch (error) {
      throw toAppRegistryError(error);
    }
  };
}

/**
 * Returns the statement of the message (EIP-4361) with which a wallet asks a registry to attest that it controls a DID,
 * or several. The only resources of the message are the DIDs. A statement must not contain a percent sign, so for a DID
 * with one (a port, some paths), and for several, the statement refers to the resources.
 *
 * @param dids Canonical DIDs.
 * @example
 * controlStatement("did:web:example.com");
 * // "I ask this registry to attest that this wallet controls did:web:example.com. Signing costs nothing."
 */
export function controlStatement(...dids: readonly string[]): string {
  const [did = ""] = dids;
  const only = did.includes("%") ? "the DID listed under Resources" : did;
  const named = dids.length > 1 ? "the DIDs listed under Resources" : only;
  return `I ask this registry to attest that this wallet controls ${named}. Signing costs nothing.`;
}

type ProveWalletParameters = {
  /** Origin of the registry web service. The message names only this site, even if the service claims another. */
  baseUrl: string;
  dids: readonly CanonicalDid[];
  connectedAddress: Address;
  signMessage: SignMessage;
  /** Requests the service's `GET /api/nonce`. */
  readNonce: () => Promise<Record<string, unknown>>;
};

type Subject = Pick<ProveWalletParameters, "baseUrl" | "dids" | "connectedAddress">;

/** Proof with the time until which the service accepts it, in milliseconds of this machine's clock. */
type CachedProof = { proof: WalletProof; until: number };

/** Maximum number of cached proofs. The oldest are dropped first. */
const MAX_CACHED_PROOFS = 100;

/** Cache of proofs. A service accepts a proof repeatedly for the same request, so that the wallet signs once. */
const proofCache = new Map<string, Promise<CachedProof>>();

const toCacheKey = ({ baseUrl, dids, connectedAddress }: Subject) =>
  JSON.stringify([new URL(baseUrl).origin, dids, connectedAddress.toLowerCase()]);

/**
 * Returns the cached proof of a wallet for a service and DIDs, or `undefined` if the service accepts none any longer.
 */
export async function getCachedProof(subject: Subject): Promise<WalletProof | undefined> {
  const known = await proofCache.get(toCacheKey(subject))?.catch(() => undefined);
  return known && known.until > Date.now() ? known.proof : undefined;
}

/**
 * Requests a signature by which a wallet asks a registry web service to attest its control of DIDs. Concurrent calls
 * share one signature.
 *
 * @param refused The cached proof that the service refused.
 */
export async function proveWallet(
  parameters: ProveWalletParameters,
  refused?: WalletProof,
): Promise<WalletProof> {
  const key = toCacheKey(parameters);
  for (let known = proofCache.get(key); known; known = proofCache.get(key)) {
    const { proof, until } = await known;
    if (proof !== refused && until > Date.now()) return proof;
    if (proofCache.get(key) === known) proofCache.delete(key);
  }
  const signing = signProof(parameters);
  proofCache.set(key, signing);
  const [oldest] = proofCache.keys();
  if (proofCache.size > MAX_CACHED_PROOFS && oldest !== undefined) proofCache.delete(oldest);
  try {
    return (await signing).proof;
  } catch (error) {
    if (proofCache.get(key) === signing) proofCache.delete(key);
    throw error;
  }
}

/** Fields of the service's response that go into the message. No other field is signed. */
const nonceAnswerSchema = z.object({
  nonce: z.string().check(z.regex(/^[A-Za-z0-9]{8,128}$/)),
  chainId: z.int().check(z.positive()),
  issuedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});

async function signProof(parameters: ProveWalletParameters): Promise<CachedProof> {
  const { baseUrl, dids, connectedAddress, signMessage, readNonce } = parameters;
  const { createSiweMessage } = await import("viem/siwe");
  const answer = nonceAnswerSchema.safeParse(await readNonce());
  if (!answer.success) throw new ServiceUnavailableError(baseUrl, answer.error);
  const { nonce, chainId, ...times } = answer.data;
  const [issuedAt, expirationTime] = [new Date(times.issuedAt), new Date(times.expiresAt)];
  const { host, origin } = new URL(baseUrl);
  const message = createSiweMessage({
    address: connectedAddress,
    chainId,
    domain: host,
    uri: origin,
    nonce,
    issuedAt,
    expirationTime,
    statement: controlStatement(...dids),
    resources: [...dids],
    version: "1",
  });
  // Use the difference of the times: the service's clock may differ from this machine's.
  const until = Date.now() + (expirationTime.getTime() - issuedAt.getTime());
  return { proof: { message, signature: await signMessage(message) }, until };
}
