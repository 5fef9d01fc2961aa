import { type Account, type Address, type Hex, isAddressEqual } from "viem";
import { signMessage } from "viem/actions";
import * as z from "zod/mini";
import type { AppRegistryClient } from "../client/index.ts";
import type { CanonicalDid } from "../did.ts";
import { ServiceUnavailableError } from "../errors/serviceErrors.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { NoAccountError } from "../errors/walletErrors.ts";

/** A Sign-In with Ethereum message (EIP-4361), signed. */
export type WalletProof = { message: string; signature: Hex };

/** Signs a message (EIP-191). */
export type SignMessage = (message: string) => Promise<Hex>;

/**
 * Signs with a client's wallet as an account. Calls `openClient` only when there is a message to sign.
 *
 * @throws {NoAccountError} on signing, when the client has no wallet; {@link RequestRejectedError}.
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
      // If only its address is given, the wallet's own account still signs locally if it has the key.
      const own = walletClient.account;
      const isOwn = own && typeof account === "string" && isAddressEqual(own.address, account);
      return await signMessage(walletClient, { account: isOwn ? own : account, message });
    } catch (error) {
      throw toAppRegistryError(error);
    }
  };
}

/**
 * The statement of the message (EIP-4361) by which a wallet asks a registry to attest that it controls a DID. The
 * message's only resource is the DID. If the DID contains a percent sign (a port, some paths), which a statement must not,
 * the statement refers to the resource.
 *
 * @param did Canonical.
 * @example
 * controlStatement("did:web:example.com");
 * // "I ask this registry to attest that this wallet controls did:web:example.com. Signing costs nothing."
 */
export function controlStatement(did: string): string {
  const named = did.includes("%") ? "the DID listed under Resources" : did;
  return `I ask this registry to attest that this wallet controls ${named}. Signing costs nothing.`;
}

type ProveWalletParameters = {
  /** Origin of the registry web service. The message names only this site, whatever the service says. */
  baseUrl: string;
  did: CanonicalDid;
  connectedAddress: Address;
  signMessage: SignMessage;
  /** Reads the service's `GET /api/nonce`. */
  readNonce: () => Promise<Record<string, unknown>>;
};

type Subject = Pick<ProveWalletParameters, "baseUrl" | "did" | "connectedAddress">;

/** A proof, and until when the service accepts it, in milliseconds of this machine's clock. */
type CachedProof = { proof: WalletProof; until: number };

/** Most proofs in memory; the oldest are dropped first. */
const MAX_CACHED_PROOFS = 100;

/** A service accepts a proof repeatedly for the same request, so the wallet signs once. */
const proofCache = new Map<string, Promise<CachedProof>>();

const toCacheKey = ({ baseUrl, did, connectedAddress }: Subject) =>
  JSON.stringify([new URL(baseUrl).origin, did, connectedAddress.toLowerCase()]);

/** The earlier proof of a wallet for a service and a DID; undefined if there is none that the service still accepts. */
export async function getCachedProof(subject: Subject): Promise<WalletProof | undefined> {
  const known = await proofCache.get(toCacheKey(subject))?.catch(() => undefined);
  return known && known.until > Date.now() ? known.proof : undefined;
}

/**
 * Has a wallet sign that its holder asks a registry web service to attest its control of a DID. Calls at the same time
 * share one signature.
 *
 * @param refused The kept proof that the service refused.
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

/** What the message takes from the service's answer; nothing else of it is signed. */
const nonceAnswerSchema = z.object({
  nonce: z.string().check(z.regex(/^[A-Za-z0-9]{8,128}$/)),
  chainId: z.int().check(z.positive()),
  issuedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});

async function signProof(parameters: ProveWalletParameters): Promise<CachedProof> {
  const { baseUrl, did, connectedAddress, signMessage, readNonce } = parameters;
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
    statement: controlStatement(did),
    resources: [did],
    version: "1",
  });
  // The service's clock may differ from this machine's.
  const until = Date.now() + (expirationTime.getTime() - issuedAt.getTime());
  return { proof: { message, signature: await signMessage(message) }, until };
}
