import { toAppRegistryError } from "@app-registry/sdk";
import type { Pool } from "pg";
import { type Address, isHex, type PublicClient } from "viem";
import { parseSiweMessage, validateSiweMessage } from "viem/siwe";
import { z } from "zod";
import type { Environment } from "../environment.ts";
import { ApiProblem } from "../problem.ts";
import { registry } from "../registry.ts";
import { createNonceStore, type NonceStore } from "./nonceStore.ts";

/** A Sign-In with Ethereum message (EIP-4361) that the wallet signed. */
export const walletProofSchema = z
  .strictObject({
    message: z.string().max(4_096).describe("The EIP-4361 message."),
    signature: z
      .string()
      .max(8_192)
      .refine((text) => isHex(text), "must be 0x and hex digits")
      .transform((text) => text as `0x${string}`)
      .describe("Of the wallet; an ERC-1271 wallet signs as its contract takes it."),
  })
  .describe("Proof that the caller holds connectedAddress, where this server wants one.");

/** Answer of GET /api/nonce. */
export const nonceSchema = z.object({
  nonce: z.string().describe("For one message."),
  chainId: z.int().describe("Chain that the message names."),
  expiresAt: z.iso.datetime().describe("When the nonce ends."),
});

type WalletProof = z.output<typeof walletProofSchema>;

/** Has callers prove that they hold the wallet that is to be attested. */
export type WalletProofs = {
  issueNonce(): Promise<z.output<typeof nonceSchema>>;
  /** @throws ApiProblem 403 `wallet-proof-required` without a proof, `wallet-proof-invalid` for one that does not hold. */
  check(proof: WalletProof | undefined, address: Address): Promise<void>;
};

type Source = {
  environment: Pick<Environment, "publicUrl" | "chainId" | "requireWalletProof">;
  publicClient: PublicClient;
  database: Pool | undefined;
};

/** The proofs that a server wants; undefined when it wants none. */
export function createWalletProofs({
  environment,
  publicClient,
  database,
}: Source): WalletProofs | undefined {
  if (!environment.requireWalletProof) return undefined;
  const { publicUrl, chainId } = environment;
  const store = createNonceStore(database);
  return {
    async issueNonce() {
      const { nonce, expiresAt } = await counted(store.issue());
      return { nonce, chainId, expiresAt: expiresAt.toISOString() };
    },
    async check(proof, address) {
      if (!proof) {
        throw new ApiProblem(403, "wallet-proof-required", "The wallet must sign a message first", {
          detail:
            "Take a nonce from /api/nonce, have the wallet sign an EIP-4361 message with it, and send both as `siwe`.",
        });
      }
      const { message, signature } = proof;
      const nonce = checkMessage(message, { address, publicUrl, chainId });
      await takeNonce(store, nonce);
      const domain = new URL(publicUrl).host;
      const valid = await publicClient
        .verifySiweMessage({ message, signature, address, domain, nonce })
        .catch((error: unknown) => {
          throw toAppRegistryError(error);
        });
      if (!valid) throw invalid("The signature is not the wallet's.");
    },
  };
}

/** What can be told without asking the chain or the store. Returns the message's nonce. */
function checkMessage(
  message: string,
  { address, publicUrl, chainId }: { address: Address; publicUrl: string; chainId: number },
): string {
  const parsed = parseSiweMessage(message);
  const { host, origin } = new URL(publicUrl);
  const { nonce, uri, expirationTime } = parsed;
  if (!nonce) throw invalid("It is no EIP-4361 message with a nonce.");
  if (parsed.domain !== host) throw invalid(`Its domain is not ${host}.`);
  if (!uri || !URL.canParse(uri) || new URL(uri).origin !== origin)
    throw invalid(`Its URI is not of ${origin}.`);
  if (parsed.chainId !== chainId) throw invalid(`Its chain is not ${chainId}.`);
  if (!expirationTime) throw invalid("It has no expiration time.");
  if (!validateSiweMessage({ message: parsed, address, domain: host, nonce })) {
    throw invalid("It is another wallet's, or not valid now.");
  }
  return nonce;
}

async function takeNonce(store: NonceStore, nonce: string): Promise<void> {
  if (!(await counted(store.take(nonce))))
    throw invalid("Its nonce was used, is too old, or is not this server's.");
}

function invalid(detail: string): ApiProblem {
  return new ApiProblem(403, "wallet-proof-invalid", "The wallet's message does not hold", { detail });
}

/** Without its store, nobody knows which nonces were used: nothing is attested then. */
function counted<T>(work: Promise<T>): Promise<T> {
  return work.catch(() => {
    throw new ApiProblem(503, "limits-unavailable", "Nonces can't be checked now", { retryable: true });
  });
}

let current: { proofs: WalletProofs | undefined } | undefined;

/** The proofs that this process wants. */
export function walletProofs(): WalletProofs | undefined {
  current ??= { proofs: createWalletProofs(registry()) };
  return current.proofs;
}
