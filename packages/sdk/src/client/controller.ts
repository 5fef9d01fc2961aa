import type { Address } from "viem";
import { getContractEvents } from "viem/actions";
import { checkArguments } from "../arguments.ts";
import { toRpcError } from "../errors/toAppRegistryError.ts";
import { defineRead, defineWrite, method } from "./calls.ts";
import {
  type BlockParameter,
  type ClientContext,
  type Raw,
  resolverContract,
  toControlArgs,
  toDidHash,
  toUnixTime,
} from "./context.ts";
import { type BlockRange, getLatestBlockNumber, readInRanges } from "./events.ts";

/** State of an account for a DID, with the reasons. Times are Unix seconds. */
export type Controller = {
  /**
   * True if the account controls the DID, as `checkDid` returns: it has a matured attestation to which no block
   * applies.
   */
  controls: boolean;
  /**
   * True if the account controls the DID, or would after an overdue renewal. Only such an account can block and
   * unblock.
   */
  inCharge: boolean;
  /** True if the account has a live attestation. */
  attested: boolean;
  /** First second from now on at which the account controls the DID if nobody acts; `undefined` if it never will. */
  controlsFrom: number | undefined;
  /** End of the block that prevents control now or later; `undefined` without one. */
  blockedUntil: number | undefined;
  /** Number of issuers with a matured attestation of the account. Blocks do not change it. */
  score: number;
  /**
   * Score that a challenger must exceed: the number of issuers whose attestation of the account is live, or was in the
   * last 7 days. Blocks do not change it.
   */
  resistance: number;
};

const toController = (raw: Raw<"getController">): Controller => ({
  ...raw,
  controlsFrom: toUnixTime(raw.controlsFrom),
  blockedUntil: toUnixTime(raw.blockedUntil),
  score: Number(raw.score),
  resistance: Number(raw.resistance),
});

/** Longest block of an account, in seconds. */
export const MAX_BLOCK = 30 * 24 * 3_600;

/** Block that prevents an account from controlling a DID, whichever issuers attest it. Times are Unix seconds. */
export type Block = {
  /** Start of the block. It applies to the account's attestations that mature after this time. */
  blockedAt: number;
  /** First second after the block. */
  blockedUntil: number;
  /**
   * Number of issuers that backed its author. The block does not apply while more issuers than this have a live or
   * overdue attestation of the account that matured at least one challenge period ago and expires more than one
   * challenge period after it matured.
   */
  weight: number;
};

const toBlock = ({ blockedAt, blockedUntil, weight }: Raw<"getBlock">): Block | undefined =>
  blockedUntil === 0n
    ? undefined
    : { blockedAt: Number(blockedAt), blockedUntil: Number(blockedUntil), weight: Number(weight) };

/** Open challenge. It can be resolved from `resolvableFrom` until `expiresAt`. Times are Unix seconds. */
export type Challenge = { openedAt: number; resolvableFrom: number; expiresAt: number };

const toChallenge = (raw: Raw<"getChallenge">): Challenge | undefined =>
  raw.openedAt === 0n
    ? undefined
    : {
        openedAt: Number(raw.openedAt),
        resolvableFrom: Number(raw.resolvableFrom),
        expiresAt: Number(raw.expiresAt),
      };

/**
 * Returns true if an account controls a DID now (the resolver's `checkDID`).
 *
 * @example
 * await client.checkDid({ did, controller }); // true
 */
export const checkDid = defineRead("ResolverWithStore", "checkDID", "did controller", toControlArgs);

/**
 * Reads the state of an account for a DID: control, blocks, score and resistance.
 *
 * @example
 * const { controls, blockedUntil } = await client.getController({ did, controller });
 * controls; // true
 * blockedUntil; // undefined
 */
export const getController = defineRead(
  "ResolverWithStore",
  "getController",
  "did controller",
  toControlArgs,
  toController,
);

/**
 * Returns the number of issuers with a matured attestation of a controller.
 *
 * @example
 * const score = await client.ownershipScore({ did, controller });
 */
export const ownershipScore = defineRead(
  "ResolverWithStore",
  "ownershipScore",
  "did controller",
  toControlArgs,
  Number,
);

/**
 * Returns true if an account protects the records that it minted or holds from being reclaimed: while it controls the
 * DID, and for 7 days after its attestation expired or was revoked.
 *
 * @example
 * await client.resistsReclaim({ did, controller }); // true
 */
export const resistsReclaim = defineRead(
  "ResolverWithStore",
  "resistsReclaim",
  "did controller",
  toControlArgs,
);

/**
 * Returns the time in Unix seconds at which an issuer first attested a controller of a DID. Returns `undefined` if no
 * issuer ever did. Every account attested later waits for control.
 *
 * @example
 * const time = await client.claimedAt({ did });
 * if (time) console.log(new Date(time * 1000));
 */
export const claimedAt = defineRead(
  "ResolverWithStore",
  "claimedAt",
  "did",
  ({ did }: { did: string }) => [toDidHash(did)],
  toUnixTime,
);

/**
 * Reads the block on an account. Returns `undefined` if the account is not blocked or the block has ended.
 * `getController` shows if the block applies now.
 *
 * @example
 * const block = await client.getBlock({ did, controller: newcomer });
 * if (block) console.log(new Date(block.blockedUntil * 1000));
 */
export const getBlock = defineRead("ResolverWithStore", "getBlock", "did controller", toControlArgs, toBlock);

/**
 * Reads every account that is blocked from controlling a DID, oldest block first. Searches the chain's logs, because
 * the resolver has no list of blocks.
 *
 * @throws {RpcUnavailableError} or `RpcFailedError` when the RPC does not return the logs.
 * @example
 * const blocks = await client.getBlocks({ did });
 * const [first] = blocks.map(({ controller }) => controller);
 */
export const getBlocks = method(
  "did blockNumber?",
  async (
    context: ClientContext,
    { did, blockNumber }: BlockParameter & { did: string },
  ): Promise<(Block & { controller: Address })[]> => {
    const toBlock = blockNumber ?? (await getLatestBlockNumber(context));
    const event = { ...resolverContract(context), eventName: "ControllerBlocked", strict: true } as const;
    const args = { didHash: toDidHash(did) };
    const span = { fromBlock: BigInt(context.deployment.deployBlock), toBlock };
    const events = await readInRanges(span, (range: BlockRange) =>
      getContractEvents(context.publicClient, { ...event, ...range, args }),
    ).catch((error: unknown) => {
      throw toRpcError(error);
    });
    const accounts = [...new Set(events.map((one) => one.args.account))];
    const blocks = await Promise.all(
      accounts.map((controller) => getBlock(context, { did, controller, blockNumber: toBlock })),
    );
    return accounts.flatMap((controller, index) => {
      const block = blocks[index];
      return block ? [{ controller, ...block }] : [];
    });
  },
);

export type ChallengeParameters = { did: string; incumbent: Address; challenger: Address };

/**
 * Reads the open challenge of a controller (`incumbent`) by a challenger. Returns `undefined` if no challenge is open
 * or it has expired.
 *
 * @example
 * const challenge = await client.getChallenge({ did, incumbent, challenger });
 * if (challenge) console.log(new Date(challenge.resolvableFrom * 1000));
 */
export const getChallenge = defineRead(
  "ResolverWithStore",
  "getChallenge",
  "did incumbent challenger",
  ({ did, incumbent, challenger }: ChallengeParameters) => [toDidHash(did), incumbent, challenger],
  toChallenge,
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
