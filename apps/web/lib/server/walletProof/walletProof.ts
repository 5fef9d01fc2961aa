import { verifyWalletSignature } from "@app-registry/issuer";
import { controlStatement } from "@app-registry/sdk";
import type { Environment } from "@app-registry/server/environment";
import { once } from "@app-registry/server/once";
import type { Pool } from "pg";
import { type Address, isAddressEqual, isHex, type PublicClient } from "viem";
import { createSiweMessage, parseSiweMessage, type SiweMessage } from "viem/siwe";
import { z } from "zod";
import { ApiProblem } from "../problem.ts";
import { registry } from "../registry.ts";
import { createNonceStore, NONCE_LIFETIME } from "./nonceStore.ts";

/** Milliseconds by which the clock of whoever wrote a message may be ahead of this server's. */
const CLOCK_SKEW = 120_000;

/** A Sign-In with Ethereum message (EIP-4361) that the wallet signed: see docs/http-api.md for what it says. */
export const walletProofSchema = z
  .strictObject({
    message: z.string().max(4_096).describe("The EIP-4361 message, whose one resource is the DID."),
    signature: z
      .string()
      .max(8_192)
      .refine((text) => isHex(text), "must be 0x and hex digits")
      .transform((text) => text as `0x${string}`)
      .describe(
        "Of the wallet's key, or as its deployed contract takes it (ERC-1271); never one of ERC-6492.",
      ),
  })
  .describe("Proof that the caller holds connectedAddress, where this server wants one.");

/** Answer of GET /api/nonce. */
export const nonceSchema = z.object({
  nonce: z.string().describe("For one DID and one wallet, until it ends."),
  chainId: z.int().describe("Chain that the message names."),
  issuedAt: z.iso.datetime().describe("Now, by this server's clock."),
  expiresAt: z.iso.datetime().describe("When the nonce ends; the message's expiration time is not after it."),
});

type WalletProof = z.output<typeof walletProofSchema>;

/** What is asked for: that `address` controls `did`, a canonical DID. */
type Subject = { did: string; address: Address };

/**
 * Has callers prove that they hold the wallet that is to be attested. A proof names one DID and one wallet, and is good
 * for them until its nonce ends: whoever repeats it can but ask again for what its holder asked for, which the issuer
 * does once.
 */
export type WalletProofs = {
  issueNonce(): Promise<z.output<typeof nonceSchema>>;
  /** @throws ApiProblem 403 `wallet-proof-required` without a proof, `wallet-proof-invalid` for one that does not hold. */
  check(proof: WalletProof | undefined, subject: Subject): Promise<void>;
};

type Source = {
  environment: Pick<Environment, "publicUrl" | "chainId" | "requireWalletProof">;
  publicClient: PublicClient;
  limitsDatabase: Pool | undefined;
};

/** The proofs that a server wants; undefined when it wants none. */
export function createWalletProofs({
  environment,
  publicClient,
  limitsDatabase,
}: Source): WalletProofs | undefined {
  if (!environment.requireWalletProof) return undefined;
  const { publicUrl, chainId } = environment;
  const store = createNonceStore(limitsDatabase);
  return {
    async issueNonce() {
      const { nonce, issuedAt, expiresAt } = await counted(store.issue());
      return { nonce, chainId, issuedAt: issuedAt.toISOString(), expiresAt: expiresAt.toISOString() };
    },
    async check(proof, { did, address }) {
      if (!proof) {
        throw new ApiProblem(403, "wallet-proof-required", "The wallet must sign a message first", {
          detail:
            "Take a nonce from /api/nonce, have the wallet sign an EIP-4361 message with it that names the DID, and send both as `siwe`.",
        });
      }
      const { message, signature } = proof;
      const nonce = checkMessage(message, { did, address, publicUrl, chainId });
      if (!(await counted(store.bind(nonce, `${chainId} ${did} ${address.toLowerCase()}`)))) {
        throw invalid("Its nonce was used for another DID or wallet, is too old, or is not this server's.");
      }
      const signed = await verifyWalletSignature({ client: publicClient, address, message, signature });
      if (!signed) throw invalid("The signature is not the wallet's.");
    },
  };
}

/** What can be told without asking the chain or the store. Returns the message's nonce. */
function checkMessage(
  message: string,
  { did, address, publicUrl, chainId }: Subject & { publicUrl: string; chainId: number },
): string {
  const parsed = parseSiweMessage(message);
  const { host, origin, protocol } = new URL(publicUrl);
  const { nonce, uri, scheme, resources = [] } = parsed;
  if (!nonce || !uri || !parsed.address) throw invalid("It is no EIP-4361 message with a nonce.");
  if (parsed.domain !== host) throw invalid(`Its domain is not ${host}.`);
  if (scheme !== undefined && `${scheme}:` !== protocol)
    throw invalid(`Its scheme is not that of ${origin}.`);
  if (!URL.canParse(uri) || new URL(uri).origin !== origin) throw invalid(`Its URI is not of ${origin}.`);
  if (parsed.chainId !== chainId) throw invalid(`Its chain is not ${chainId}.`);
  if (!isAddressEqual(parsed.address, address)) throw invalid(`Its wallet is not ${address}.`);
  if (resources.length !== 1 || resources[0] !== did) throw invalid(`Its resources are not ${did} alone.`);
  if (parsed.statement !== controlStatement(did)) {
    throw invalid(`Its statement is not "${controlStatement(did)}"`);
  }
  checkTimes(parsed);
  // Parsing skips what it does not know. What the wallet showed must be what was read here, to the last byte.
  if (withPlainTimes(message, parsed) !== written(parsed))
    throw invalid("It is not written as EIP-4361 says.");
  return nonce;
}

type ParsedMessage = ReturnType<typeof parseSiweMessage>;

function checkTimes({ issuedAt, expirationTime, notBefore }: ParsedMessage): void {
  const now = Date.now();
  if (!issuedAt || !expirationTime) throw invalid("It has no date of issue or no expiration time.");
  for (const time of [issuedAt, expirationTime, notBefore]) {
    if (time && Number.isNaN(time.getTime())) throw invalid("One of its times is none of RFC 3339.");
  }
  const [issued, end] = [issuedAt.getTime(), expirationTime.getTime()];
  if (issued > now + CLOCK_SKEW) throw invalid("It was issued in the future.");
  if (notBefore && notBefore.getTime() > now + CLOCK_SKEW) throw invalid("It is not valid yet.");
  if (end <= now) throw invalid("It has expired.");
  if (end > now + NONCE_LIFETIME * 1_000 + CLOCK_SKEW) {
    throw invalid(`It is valid for more than ${NONCE_LIFETIME / 60} minutes from now.`);
  }
}

/** The message of the fields; undefined when EIP-4361 has none of them, such as one of another version. */
function written(fields: ParsedMessage): string | undefined {
  try {
    return createSiweMessage(fields as SiweMessage);
  } catch {
    return undefined;
  }
}

/** RFC 3339 writes one moment in several ways. */
const withPlainTimes = (message: string, { issuedAt, expirationTime, notBefore }: ParsedMessage): string => {
  const times: Record<string, Date | undefined> = {
    "Issued At": issuedAt,
    "Expiration Time": expirationTime,
    "Not Before": notBefore,
  };
  return message.replace(/^(Issued At|Expiration Time|Not Before): .+$/gm, (line, name: string) =>
    times[name] ? `${name}: ${times[name].toISOString()}` : line,
  );
};

function invalid(detail: string): ApiProblem {
  return new ApiProblem(403, "wallet-proof-invalid", "The wallet's message does not hold", { detail });
}

/** Without its store, nobody knows which nonces were used: nothing is attested then. */
function counted<T>(work: Promise<T>): Promise<T> {
  return work.catch(() => {
    throw new ApiProblem(503, "limits-unavailable", "Nonces can't be checked now", { retryable: true });
  });
}

/** The proofs that this process wants. */
export const walletProofs = once(() => createWalletProofs(registry()));
