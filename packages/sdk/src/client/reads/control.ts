import type { Address } from "viem";
import { getContractEvents } from "viem/actions";
import { toRpcError } from "../../errors/toRpcError.ts";
import { type BlockRange, readInRanges } from "../blockRanges.ts";
import { defineRead, method, readView } from "../calls.ts";
import {
  type BlockParameter,
  type ClientContext,
  resolverContract,
  toControlArgs,
  toDataHashArgs,
  toDidHash,
} from "../context.ts";
import {
  type Block,
  type IssuerState,
  type ResolverPolicy,
  toAttestations,
  toBlock,
  toChallenge,
  toController,
  toIssuerState,
  toUnixTime,
} from "../control.ts";
import { getLatestBlockNumber } from "../getLatestBlockNumber.ts";

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
 * Reads the newest statement of each issuer about a controller, revocations included; at most 16.
 *
 * @example
 * const [attestation] = await client.getDidAttestations({ did, controller });
 * attestation?.live; // true
 */
export const getDidAttestations = defineRead(
  "ResolverWithStore",
  "getDIDAttestations",
  "did controller",
  toControlArgs,
  toAttestations,
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

/**
 * Returns true if at least one issuer has a live attestation of a dataHash.
 *
 * @example
 * await client.checkDataHashAttestation({ did, dataHash }); // true
 */
export const checkDataHashAttestation = defineRead(
  "ResolverWithStore",
  "checkDataHashAttestation",
  "did dataHash",
  toDataHashArgs,
);

/**
 * Reads the newest statement of each issuer about a dataHash, revocations included; at most 16.
 *
 * @example
 * const attestations = await client.getDataHashAttestations({ did, dataHash });
 * attestations.some(({ live }) => live); // true
 */
export const getDataHashAttestations = defineRead(
  "ResolverWithStore",
  "getDataHashAttestations",
  "did dataHash",
  toDataHashArgs,
  toAttestations,
);

/**
 * Reads the status of an issuer.
 *
 * @example
 * const { status } = await client.getIssuer(issuerAccount.address);
 * status; // "active"
 */
export const getIssuer = method(
  "(issuer)",
  async (context: ClientContext, issuer: Address, at?: BlockParameter): Promise<IssuerState> =>
    toIssuerState(await readView(context, "ResolverWithStore", "getIssuer", [issuer], at)),
);

/**
 * Reads the issuers that have a seat, in any status; at most 16. Statements of all other issuers are void.
 *
 * @example
 * const issuers = await client.getIssuers();
 * const active = issuers.filter(({ status }) => status === "active");
 */
export const getIssuers = method(
  "()",
  async (context: ClientContext, at?: BlockParameter): Promise<IssuerState[]> =>
    (await readView(context, "ResolverWithStore", "getIssuers", [], at)).map(toIssuerState),
);

/**
 * Reads the resolver's settings: the longest lifetime of an attestation, the waiting period and the challenge period.
 *
 * @example
 * const { maxTtl, maturation, challengePeriod } = await client.getResolverPolicy();
 */
export const getResolverPolicy = method(
  "()",
  async (context: ClientContext, at?: BlockParameter): Promise<ResolverPolicy> => {
    const [maxTtl, maturation, challengePeriod] = await Promise.all([
      readView(context, "ResolverWithStore", "maxTTL", [], at),
      readView(context, "ResolverWithStore", "maturation", [], at),
      readView(context, "ResolverWithStore", "challengePeriod", [], at),
    ]);
    return {
      maxTtl: Number(maxTtl),
      maturation: Number(maturation),
      challengePeriod: Number(challengePeriod),
    };
  },
);
