import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { verifyWalletSignature } from "@app-registry/issuer";
import { controlStatement } from "@app-registry/sdk";
import { once } from "@app-registry/server/async";
import type { Environment } from "@app-registry/server/environment";
import type { Pool } from "pg";
import { type Address, isAddressEqual, isHex, type PublicClient } from "viem";
import { createSiweMessage, parseSiweMessage, type SiweMessage } from "viem/siwe";
import { z } from "zod";
import { ApiProblem } from "../http/problem.ts";
import { MAX_BODY_BYTES } from "../http/request.ts";
import { registry } from "../registry.ts";

/** Accepted difference between the clocks of the message's author and this server, in milliseconds. */
const CLOCK_SKEW = 120_000;

/** Sign-In with Ethereum message (EIP-4361) with the wallet's signature. docs/http-api.md describes its content. */
export const walletProofSchema = z
  .strictObject({
    message: z
      .string()
      .max(MAX_BODY_BYTES)
      .describe("The EIP-4361 message. Its only resources must be the DIDs of the request."),
    signature: z
      .string()
      .max(8_192)
      .refine((text) => isHex(text), "must be 0x and hex digits")
      .transform((text) => text as `0x${string}`)
      .describe(
        "Signature by the wallet's key, or valid under its deployed contract (ERC-1271). ERC-6492 signatures are not accepted.",
      ),
  })
  .describe("Proof that the caller controls connectedAddress, if this server requires it.");

/** Response of GET /api/nonce. */
export const nonceSchema = z.object({
  nonce: z.string().describe("Valid for the DIDs and the wallet of its first use until it expires."),
  chainId: z.int().describe("Chain id to use in the message."),
  issuedAt: z.iso.datetime().describe("Current time by this server's clock."),
  expiresAt: z.iso.datetime().describe("When the nonce expires. The message must not expire later."),
});

type WalletProof = z.output<typeof walletProofSchema>;

/** Statement to prove: `address` controls `dids`, which are canonical. */
type Subject = { dids: readonly string[]; address: Address };

/**
 * Verifies that callers hold the wallet to attest. A proof names every DID and one wallet and is valid for them until its
 * nonce expires. Replaying a proof only repeats its holder's request, which the issuer carries out once.
 */
export type WalletProofs = {
  issueNonce(): Promise<z.output<typeof nonceSchema>>;
  /** @throws ApiProblem 403 `wallet-proof-required` without a proof, `wallet-proof-invalid` for an invalid one. */
  check(proof: WalletProof | undefined, subject: Subject): Promise<void>;
};

type Source = {
  environment: Pick<Environment, "publicUrl" | "chainId" | "requireWalletProof">;
  publicClient: PublicClient;
  database: Pool;
};

/** Creates the proofs that a server requires. Returns `undefined` if it requires none. */
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
      const { nonce, issuedAt, expiresAt } = await failClosed(store.issue());
      return { nonce, chainId, issuedAt: issuedAt.toISOString(), expiresAt: expiresAt.toISOString() };
    },
    async check(proof, { dids, address }) {
      if (!proof) {
        throw new ApiProblem(403, "wallet-proof-required", "The wallet must sign a message first", {
          detail:
            "Get a nonce from /api/nonce, sign an EIP-4361 message that contains it and the DID, then send message and signature as `siwe`.",
        });
      }
      const { message, signature } = proof;
      const nonce = checkMessage(message, { dids, address, publicUrl, chainId });
      const subject = `${chainId} ${dids.join(" ")} ${address.toLowerCase()}`;
      if (!(await failClosed(store.bind(nonce, subject)))) {
        throw invalid(
          "The nonce has expired, was used for other DIDs or another wallet, or was not issued by this server.",
        );
      }
      const signed = await verifyWalletSignature({ client: publicClient, address, message, signature });
      if (!signed) throw invalid("The signature doesn't match the wallet.");
    },
  };
}

/** Checks everything that needs neither the chain nor the store. Returns the message's nonce. */
function checkMessage(
  message: string,
  { dids, address, publicUrl, chainId }: Subject & { publicUrl: string; chainId: number },
): string {
  const parsed = parseSiweMessage(message);
  const { host, origin, protocol } = new URL(publicUrl);
  const { nonce, uri, scheme, resources = [] } = parsed;
  if (!nonce || !uri || !parsed.address) throw invalid("This is not an EIP-4361 message with a nonce.");
  if (parsed.domain !== host) throw invalid(`The domain must be ${host}.`);
  if (scheme !== undefined && `${scheme}:` !== protocol) throw invalid(`The scheme must match ${origin}.`);
  if (!URL.canParse(uri) || new URL(uri).origin !== origin) throw invalid(`The URI must be on ${origin}.`);
  if (parsed.chainId !== chainId) throw invalid(`The chain id must be ${chainId}.`);
  if (!isAddressEqual(parsed.address, address)) throw invalid(`The address must be ${address}.`);
  if (resources.length !== dids.length || dids.some((did, index) => resources[index] !== did)) {
    throw invalid(
      dids.length > 1
        ? "The only resources must be the DIDs of the request, in the same order."
        : `The only resource must be ${dids[0]}.`,
    );
  }
  if (parsed.statement !== controlStatement(...dids)) {
    throw invalid(`The statement must be "${controlStatement(...dids)}".`);
  }
  checkTimes(parsed);
  // Parsing ignores unknown parts, so compare the whole message: the wallet must have shown exactly these bytes.
  if (normalizeTimes(message, parsed) !== formatSiweMessage(parsed))
    throw invalid("The message doesn't follow EIP-4361.");
  return nonce;
}

type ParsedMessage = ReturnType<typeof parseSiweMessage>;

function checkTimes({ issuedAt, expirationTime, notBefore }: ParsedMessage): void {
  const now = Date.now();
  if (!issuedAt || !expirationTime) throw invalid("The message needs an issue time and an expiration time.");
  for (const time of [issuedAt, expirationTime, notBefore]) {
    if (time && Number.isNaN(time.getTime()))
      throw invalid("A time in the message is not in RFC 3339 format.");
  }
  const [issued, end] = [issuedAt.getTime(), expirationTime.getTime()];
  if (issued > now + CLOCK_SKEW) throw invalid("The issue time is in the future.");
  if (notBefore && notBefore.getTime() > now + CLOCK_SKEW) throw invalid("The message is not valid yet.");
  if (end <= now) throw invalid("The message has expired.");
  if (end > now + NONCE_LIFETIME * 1_000 + CLOCK_SKEW) {
    throw invalid(`The message must expire within ${NONCE_LIFETIME / 60} minutes.`);
  }
}

/**
 * Formats the message of the fields. Returns `undefined` if EIP-4361 does not allow them, for example another version.
 */
function formatSiweMessage(fields: ParsedMessage): string | undefined {
  try {
    return createSiweMessage(fields as SiweMessage);
  } catch {
    return undefined;
  }
}

/** Normalizes times, because RFC 3339 allows several spellings of the same time. */
const normalizeTimes = (message: string, { issuedAt, expirationTime, notBefore }: ParsedMessage): string => {
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
  return new ApiProblem(403, "wallet-proof-invalid", "Invalid wallet sign-in", { detail });
}

/** Rejects if the store fails, because reused nonces could not be detected. */
function failClosed<T>(work: Promise<T>): Promise<T> {
  return work.catch(() => {
    throw new ApiProblem(503, "limits-unavailable", "Nonce check unavailable", { retryable: true });
  });
}

/** Returns the proofs that this process requires. */
export const walletProofs = once(() => createWalletProofs(registry()));

/** Lifetime of a nonce, in seconds: enough to correct a did.json and try again. */
const NONCE_LIFETIME = 1_800;

/**
 * Store of nonces that are each valid for one subject. A nonce contains its issue time and an HMAC of its server, so it
 * needs no storage before use, and nobody can evict other nonces by requesting many.
 */
type NonceStore = {
  issue(): Promise<{ nonce: string; issuedAt: Date; expiresAt: Date }>;
  /**
   * Binds a nonce to the first subject that uses it. Returns true for that subject, also on reuse. Returns false if the
   * nonce was never issued, has expired or is bound to another subject.
   */
  bind(nonce: string, subject: string): Promise<boolean>;
};

/** Creates a store in PostgreSQL, for all processes that share the database. */
function createNonceStore(pool: Pool): NonceStore {
  const readKey = once(() => createKey(pool));
  return {
    async issue() {
      const issuedAt = new Date();
      const time = issuedAt.getTime().toString(16).padStart(TIME_LENGTH, "0");
      const text = `${time}${randomBytes(16).toString("hex")}`;
      const nonce = text + computeMac(text, await readKey());
      return { nonce, issuedAt, expiresAt: getExpiry(nonce) };
    },
    async bind(nonce, subject) {
      if (!/^[0-9a-f]{76}$/.test(nonce)) return false;
      const expected = Buffer.from(computeMac(nonce.slice(0, TEXT_LENGTH), await readKey()));
      if (!timingSafeEqual(expected, Buffer.from(nonce.slice(TEXT_LENGTH)))) return false;
      const expiresAt = getExpiry(nonce);
      if (expiresAt.getTime() <= Date.now()) return false;
      await pool.query("DELETE FROM app_registry_limits.nonces WHERE expires < now()");
      // Of two concurrent inserts, the second waits for the first row and then sees its subject.
      const { rowCount } = await pool.query(
        `INSERT INTO app_registry_limits.nonces (nonce, expires, subject) VALUES ($1, $2, $3)
         ON CONFLICT (nonce) DO UPDATE SET subject = excluded.subject WHERE nonces.subject = excluded.subject`,
        [nonce, expiresAt, subject],
      );
      return rowCount === 1;
    },
  };
}

/** Length of the time in milliseconds, and of the time with the random part, in hexadecimal digits. */
const TIME_LENGTH = 12;
const TEXT_LENGTH = TIME_LENGTH + 32;

const computeMac = (text: string, key: Buffer) =>
  createHmac("sha256", key).update(text).digest("hex").slice(0, 32);

const getExpiry = (nonce: string) =>
  new Date(Number.parseInt(nonce.slice(0, TIME_LENGTH), 16) + NONCE_LIFETIME * 1_000);

/** Creates the tables if they are missing, and returns the key that all processes share. */
async function createKey(pool: Pool): Promise<Buffer> {
  await pool.query(
    `SELECT pg_advisory_xact_lock(hashtext('app_registry_limits'));
     CREATE SCHEMA IF NOT EXISTS app_registry_limits;
     CREATE TABLE IF NOT EXISTS app_registry_limits.nonces (
       nonce text PRIMARY KEY, expires timestamptz NOT NULL, subject text NOT NULL);
     CREATE TABLE IF NOT EXISTS app_registry_limits.nonce_key (id int PRIMARY KEY CHECK (id = 1), key bytea NOT NULL);`,
  );
  const table = "app_registry_limits.nonce_key";
  await pool.query(`INSERT INTO ${table} VALUES (1, $1) ON CONFLICT DO NOTHING`, [randomBytes(32)]);
  const { rows } = await pool.query<{ key: Buffer }>(`SELECT key FROM ${table}`);
  if (!rows[0]) throw new Error("The nonce key is missing.");
  return rows[0].key;
}
