import type { Address, Hex } from "viem";
import { checkArguments } from "../../arguments.ts";
import { definePrepare, defineSend } from "../calls.ts";
import { toDidHash } from "../context.ts";
import { type Expiry, type IssuerSignature, toExpiresAt, toIssuerSignature } from "../control.ts";

export type AttestDidParameters = Expiry & { did: string; controller: Address };

/**
 * Builds the call that {@link attestDid} sends.
 *
 * @example
 * const call = client.prepareAttestDid({ did, controller });
 * call.functionName; // "attestDID"
 */
export const prepareAttestDid = definePrepare(
  "ResolverWithStore",
  "attestDID",
  "did controller expiresAt?",
  ({ did, controller, ...expiry }: AttestDidParameters) => [toDidHash(did), controller, toExpiresAt(expiry)],
);

/**
 * Attests that an account controls a DID, or renews the attestation. Only an active issuer can send it.
 *
 * @example
 * const hash = await client.attestDid({ did, controller });
 * await client.waitForReceipt({ hash });
 */
export const attestDid = defineSend(prepareAttestDid);

export type AttestDidBySignatureParameters = Expiry & {
  did: string;
  controller: Address;
  signature: IssuerSignature;
};

/**
 * Builds the call that {@link attestDidBySignature} sends.
 *
 * @example
 * const call = client.prepareAttestDidBySignature({ did, controller, signature });
 * call.functionName; // "attestDIDBySignature"
 */
export const prepareAttestDidBySignature = definePrepare(
  "ResolverWithStore",
  "attestDIDBySignature",
  "did controller signature expiresAt?",
  ({ did, controller, signature, ...expiry }: AttestDidBySignatureParameters) => [
    { didHash: toDidHash(did), controller, expiresAt: toExpiresAt(expiry) },
    toIssuerSignature(signature),
  ],
);

/**
 * Submits an issuer's signed attestation of a controller. Any account can send it and pays the gas.
 *
 * @example
 * const hash = await client.attestDidBySignature({ did, controller, signature });
 * await client.waitForReceipt({ hash });
 */
export const attestDidBySignature = defineSend(prepareAttestDidBySignature);

export type RevokeDidParameters = { did: string; controller: Address };

/**
 * Builds the call that {@link revokeDid} sends.
 *
 * @example
 * const call = client.prepareRevokeDid({ did, controller });
 * call.functionName; // "revokeDID"
 */
export const prepareRevokeDid = definePrepare(
  "ResolverWithStore",
  "revokeDID",
  "did controller",
  ({ did, controller }: RevokeDidParameters) => [toDidHash(did), controller],
);

/**
 * Revokes every attestation that the issuer sent or signed of a controller. Only an active or retired issuer can send
 * it.
 *
 * @example
 * const hash = await client.revokeDid({ did, controller });
 * await client.waitForReceipt({ hash });
 */
export const revokeDid = defineSend(prepareRevokeDid);

export type AttestDataHashParameters = Expiry & { did: string; dataHash: Hex };

/**
 * Builds the call that {@link attestDataHash} sends.
 *
 * @example
 * const call = client.prepareAttestDataHash({ did, dataHash });
 * call.functionName; // "attestDataHash"
 */
export const prepareAttestDataHash = definePrepare(
  "ResolverWithStore",
  "attestDataHash",
  "did dataHash expiresAt?",
  ({ did, dataHash, ...expiry }: AttestDataHashParameters) => [toDidHash(did), dataHash, toExpiresAt(expiry)],
);

/**
 * Attests the dataHash of a DID's metadata, or renews the attestation. Only an active issuer can send it.
 *
 * @example
 * const hash = await client.attestDataHash({ did, dataHash });
 * await client.waitForReceipt({ hash });
 */
export const attestDataHash = defineSend(prepareAttestDataHash);

export type AttestDataHashBySignatureParameters = Expiry & {
  did: string;
  dataHash: Hex;
  signature: IssuerSignature;
};

/**
 * Builds the call that {@link attestDataHashBySignature} sends.
 *
 * @example
 * const call = client.prepareAttestDataHashBySignature({ did, dataHash, signature });
 * call.functionName; // "attestDataHashBySignature"
 */
export const prepareAttestDataHashBySignature = definePrepare(
  "ResolverWithStore",
  "attestDataHashBySignature",
  "did dataHash signature expiresAt?",
  ({ did, dataHash, signature, ...expiry }: AttestDataHashBySignatureParameters) => [
    { didHash: toDidHash(did), dataHash, expiresAt: toExpiresAt(expiry) },
    toIssuerSignature(signature),
  ],
);

/**
 * Submits an issuer's signed attestation of a dataHash. Any account can send it and pays the gas.
 *
 * @example
 * const hash = await client.attestDataHashBySignature({ did, dataHash, signature });
 * await client.waitForReceipt({ hash });
 */
export const attestDataHashBySignature = defineSend(prepareAttestDataHashBySignature);

export type RevokeDataHashParameters = { did: string; dataHash: Hex };

/**
 * Builds the call that {@link revokeDataHash} sends.
 *
 * @example
 * const call = client.prepareRevokeDataHash({ did, dataHash });
 * call.functionName; // "revokeDataHash"
 */
export const prepareRevokeDataHash = definePrepare(
  "ResolverWithStore",
  "revokeDataHash",
  "did dataHash",
  ({ did, dataHash }: RevokeDataHashParameters) => [toDidHash(did), dataHash],
);

/**
 * Revokes every attestation that the issuer sent or signed of a dataHash. Only an active or retired issuer can send it.
 *
 * @example
 * const hash = await client.revokeDataHash({ did, dataHash });
 * await client.waitForReceipt({ hash });
 */
export const revokeDataHash = defineSend(prepareRevokeDataHash);

/** Account to block from controlling a DID, until a time in Unix seconds that is at most `MAX_BLOCK` ahead. */
export type BlockControllerParameters = { did: string; controller: Address; until: number };

/**
 * Builds the call that {@link blockController} sends.
 *
 * @example
 * const call = client.prepareBlockController({ did, controller: newcomer, until });
 * call.functionName; // "blockController"
 */
export const prepareBlockController = definePrepare(
  "ResolverWithStore",
  "blockController",
  "did controller until",
  ({ did, controller, until }: BlockControllerParameters) => [toDidHash(did), controller, BigInt(until)],
);

/**
 * Blocks an account from controlling a DID, or extends its block. The sender must control the DID or have an overdue
 * renewal; the account must not.
 *
 * @example
 * const hash = await client.blockController({ did, controller: newcomer, until });
 * await client.waitForReceipt({ hash });
 */
export const blockController = defineSend(prepareBlockController);

export type BlockControllerBatchParameters = { blocks: readonly BlockControllerParameters[] };

/**
 * Builds the call that {@link blockControllerBatch} sends.
 *
 * @example
 * const call = client.prepareBlockControllerBatch({ blocks: [{ did, controller: newcomer, until }] });
 * call.functionName; // "blockControllerBatch"
 */
export const prepareBlockControllerBatch = definePrepare(
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
 * Blocks several accounts of one or more DIDs, or extends their blocks. Reverts without blocking any if one of them
 * can't be blocked.
 *
 * @example
 * const hash = await client.blockControllerBatch({ blocks: [{ did, controller: newcomer, until }] });
 * await client.waitForReceipt({ hash });
 */
export const blockControllerBatch = defineSend(prepareBlockControllerBatch);

export type UnblockControllerParameters = { did: string; controller: Address };

/**
 * Builds the call that {@link unblockController} sends.
 *
 * @example
 * const call = client.prepareUnblockController({ did, controller: newcomer });
 * call.functionName; // "unblockController"
 */
export const prepareUnblockController = definePrepare(
  "ResolverWithStore",
  "unblockController",
  "did controller",
  ({ did, controller }: UnblockControllerParameters) => [toDidHash(did), controller],
);

/**
 * Ends the block of an account, which may be the sender itself. The sender must control the DID or have an overdue
 * renewal.
 *
 * @example
 * const hash = await client.unblockController({ did, controller: newcomer });
 * await client.waitForReceipt({ hash });
 */
export const unblockController = defineSend(prepareUnblockController);

export type ChallengeDidParameters = { did: string; incumbent: Address };

/**
 * Builds the call that {@link challengeDid} sends.
 *
 * @example
 * const call = client.prepareChallengeDid({ did, incumbent });
 * call.functionName; // "challengeDID"
 */
export const prepareChallengeDid = definePrepare(
  "ResolverWithStore",
  "challengeDID",
  "did incumbent",
  ({ did, incumbent }: ChallengeDidParameters) => [toDidHash(did), incumbent],
);

/**
 * Opens a challenge of a controller (`incumbent`). The sender needs a matured attestation of its own.
 *
 * @example
 * const hash = await client.challengeDid({ did, incumbent });
 * await client.waitForReceipt({ hash });
 */
export const challengeDid = defineSend(prepareChallengeDid);

export type ResolveChallengeParameters = { did: string; incumbent: Address; challenger: Address };

/**
 * Builds the call that {@link resolveChallenge} sends.
 *
 * @example
 * const call = client.prepareResolveChallenge({ did, incumbent, challenger });
 * call.functionName; // "resolveChallenge"
 */
export const prepareResolveChallenge = definePrepare(
  "ResolverWithStore",
  "resolveChallenge",
  "did incumbent challenger",
  ({ did, incumbent, challenger }: ResolveChallengeParameters) => [toDidHash(did), incumbent, challenger],
);

/**
 * Removes the challenged controller (`incumbent`) as a controller. Any account can send it, from `resolvableFrom` until
 * `expiresAt`. Reverts with `ChallengeNotWon` unless the challenger's score exceeds the incumbent's resistance; the
 * challenge then stays open.
 *
 * @example
 * const hash = await client.resolveChallenge({ did, incumbent, challenger });
 * await client.waitForReceipt({ hash });
 */
export const resolveChallenge = defineSend(prepareResolveChallenge);
