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

/**
 * The statement of the message (EIP-4361) by which a wallet asks a registry to attest that it controls a DID; the
 * message's one resource is the DID. A statement may hold no percent sign, which a port and some paths have: then it
 * points to the resource.
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
  /** Origin of the registry web service. The message names it and no other site, whatever the service says. */
  baseUrl: string;
  did: CanonicalDid;
  connectedAddress: Address;
  signMessage: SignMessage;
  /** Answers the service's `GET /api/nonce`. */
  readNonce: () => Promise<Record<string, unknown>>;
};

type Subject = Pick<ProveWalletParameters, "baseUrl" | "did" | "connectedAddress">;

/** A proof, and until when the service takes it, in milliseconds of this machine's clock. */
type KeptProof = { proof: WalletProof; until: number };

/** Most proofs that are kept; the oldest go first. */
const MAX_KEPT = 100;

/** A service takes a proof as often as it is asked for the same, so the wallet is asked to sign once. */
const kept = new Map<string, Promise<KeptProof>>();

const keyOf = ({ baseUrl, did, connectedAddress }: Subject) =>
  JSON.stringify([new URL(baseUrl).origin, did, connectedAddress.toLowerCase()]);

/** The proof that a wallet gave a service for a DID before; undefined when there is none that it still takes. */
export async function keptProof(subject: Subject): Promise<WalletProof | undefined> {
  const known = await kept.get(keyOf(subject))?.catch(() => undefined);
  return known && known.until > Date.now() ? known.proof : undefined;
}

/**
 * Has a wallet sign that its holder asks a registry web service to attest its control of a DID. Calls at the same time
 * share one signature.
 *
 * @param refused The kept proof that the service did not take.
 */
export async function proveWallet(
  parameters: ProveWalletParameters,
  refused?: WalletProof,
): Promise<WalletProof> {
  const key = keyOf(parameters);
  for (let known = kept.get(key); known; known = kept.get(key)) {
    const { proof, until } = await known;
    if (proof !== refused && until > Date.now()) return proof;
    if (kept.get(key) === known) kept.delete(key);
  }
  const signing = signProof(parameters);
  kept.set(key, signing);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  try {
    return (await signing).proof;
  } catch (error) {
    if (kept.get(key) === signing) kept.delete(key);
    throw error;
  }
}

/** What a message takes from the service; nothing else of its answer is signed. */
const nonceAnswerSchema = z.object({
  nonce: z.string().check(z.regex(/^[A-Za-z0-9]{8,128}$/)),
  chainId: z.int().check(z.positive()),
  issuedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});

async function signProof(parameters: ProveWalletParameters): Promise<KeptProof> {
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
  // The service's clock need not be this machine's.
  const until = Date.now() + (expirationTime.getTime() - issuedAt.getTime());
  return { proof: { message, signature: await signMessage(message) }, until };
}
