import type { Address, Hex } from "viem";
import { checkArguments } from "../../arguments.ts";
import { defineWrite } from "../calls.ts";
import { toControlArgs, toDataHashArgs, toDidHash } from "../context.ts";
import { type Expiry, type IssuerSignature, toExpiresAt, toIssuerSignature } from "../control.ts";

export type AttestDidParameters = Expiry & { did: string; controller: Address };

/**
 * Attests that an account controls a DID, or renews the attestation. Only an active issuer can send it.
 *
 * @example
 * const hash = await client.attestDid({ did, controller });
 * await client.waitForReceipt({ hash });
 */
export const attestDid = defineWrite(
  "ResolverWithStore",
  "attestDID",
  "did controller expiresAt?",
  ({ did, controller, ...expiry }: AttestDidParameters) => [toDidHash(did), controller, toExpiresAt(expiry)],
);

export type AttestDidBySignatureParameters = Expiry & {
  did: string;
  controller: Address;
  signature: IssuerSignature;
};

/**
 * Submits an issuer's signed attestation of a controller. Any account can send it and pays the gas.
 *
 * @example
 * const hash = await client.attestDidBySignature({ did, controller, signature });
 * await client.waitForReceipt({ hash });
 */
export const attestDidBySignature = defineWrite(
  "ResolverWithStore",
  "attestDIDBySignature",
  "did controller signature expiresAt?",
  ({ did, controller, signature, ...expiry }: AttestDidBySignatureParameters) => [
    { didHash: toDidHash(did), controller, expiresAt: toExpiresAt(expiry) },
    toIssuerSignature(signature),
  ],
);

/**
 * Revokes every attestation that the issuer sent or signed of a controller. Only an active or retired issuer can send
 * it.
 *
 * @example
 * const hash = await client.revokeDid({ did, controller });
 * await client.waitForReceipt({ hash });
 */
export const revokeDid = defineWrite("ResolverWithStore", "revokeDID", "did controller", toControlArgs);

export type AttestDataHashParameters = Expiry & { did: string; dataHash: Hex };

/**
 * Attests the dataHash of a DID's metadata, or renews the attestation. Only an active issuer can send it.
 *
 * @example
 * const hash = await client.attestDataHash({ did, dataHash });
 * await client.waitForReceipt({ hash });
 */
export const attestDataHash = defineWrite(
  "ResolverWithStore",
  "attestDataHash",
  "did dataHash expiresAt?",
  ({ did, dataHash, ...expiry }: AttestDataHashParameters) => [toDidHash(did), dataHash, toExpiresAt(expiry)],
);

export type AttestDataHashBySignatureParameters = Expiry & {
  did: string;
  dataHash: Hex;
  signature: IssuerSignature;
};

/**
 * Submits an issuer's signed attestation of a dataHash. Any account can send it and pays the gas.
 *
 * @example
 * const hash = await client.attestDataHashBySignature({ did, dataHash, signature });
 * await client.waitForReceipt({ hash });
 */
export const attestDataHashBySignature = defineWrite(
  "ResolverWithStore",
  "attestDataHashBySignature",
  "did dataHash signature expiresAt?",
  ({ did, dataHash, signature, ...expiry }: AttestDataHashBySignatureParameters) => [
    { didHash: toDidHash(did), dataHash, expiresAt: toExpiresAt(expiry) },
    toIssuerSignature(signature),
  ],
);

/**
 * Revokes every attestation that the issuer sent or signed of a dataHash. Only an active or retired issuer can send it.
 *
 * @example
 * const hash = await client.revokeDataHash({ did, dataHash });
 * await client.waitForReceipt({ hash });
 */
export const revokeDataHash = defineWrite(
  "ResolverWithStore",
  "revokeDataHash",
  "did dataHash",
  toDataHashArgs,
);

/** Account to block from controlling a DID, until a time in Unix seconds that is at most `MAX_BLOCK` ahead. */
export type BlockControllerParameters = { did: string; controller: Address; until: number };

/**
 * Blocks an account from controlling a DID, or extends its block. The sender must control the DID or have an overdue
 * renewal; the account must not.
 *
 * @example
 * const hash = await client.blockController({ did, controller: newcomer, until });
 * await client.waitForReceipt({ hash });
 */
export const blockController = defineWrite(
  "ResolverWithStore",
  "blockController",
  "did controller until",
  ({ did, controller, until }: BlockControllerParameters) => [toDidHash(did), controller, BigInt(until)],
);

export type BlockControllerBatchParameters = { blocks: readonly BlockControllerParameters[] };

/**
 * Blocks several accounts of one or more DIDs, or extends their blocks. Skips accounts in charge. Reverts without
 * blocking any if something else prevents one of the blocks, or if nobody is left to block.
 *
 * @example
 * const hash = await client.blockControllerBatch({ blocks: [{ did, controller: newcomer, until }] });
 * await client.waitForReceipt({ hash });
 */
export const blockControllerBatch = defineWrite(
  "ResolverWithStore",
  "blockControllerBatch",
  "blocks",
  ({ blocks }: BlockControllerBatchParameters) => [
    blocks.map((block) => {
      checkArguments("did controller until", block);
      return { didHash: toDidHash(block.did), account: block.controller, until: BigInt(block.until) };
    }),
  ],
);

/**
 * Ends the block of an account, which may be the sender itself. The sender must control the DID or have an overdue
 * renewal.
 *
 * @example
 * const hash = await client.unblockController({ did, controller: newcomer });
 * await client.waitForReceipt({ hash });
 */
export const unblockController = defineWrite(
  "ResolverWithStore",
  "unblockController",
  "did controller",
  toControlArgs,
);

export type ChallengeDidParameters = { did: string; incumbent: Address };

/**
 * Opens a challenge of a controller (`incumbent`). The sender needs a matured attestation of its own.
 *
 * @example
 * const hash = await client.challengeDid({ did, incumbent });
 * await client.waitForReceipt({ hash });
 */
export const challengeDid = defineWrite(
  "ResolverWithStore",
  "challengeDID",
  "did incumbent",
  ({ did, incumbent }: ChallengeDidParameters) => [toDidHash(did), incumbent],
);

export type ResolveChallengeParameters = { did: string; incumbent: Address; challenger: Address };

/**
 * Removes the challenged controller (`incumbent`) as a controller. Any account can send it, from `resolvableFrom` until
 * `expiresAt`. Reverts with `ChallengeNotWon` unless the challenger's score exceeds the incumbent's resistance; the
 * challenge then stays open.
 *
 * @example
 * const hash = await client.resolveChallenge({ did, incumbent, challenger });
 * await client.waitForReceipt({ hash });
 */
export const resolveChallenge = defineWrite(
  "ResolverWithStore",
  "resolveChallenge",
  "did incumbent challenger",
  ({ did, incumbent, challenger }: ResolveChallengeParameters) => [toDidHash(did), incumbent, challenger],
);
