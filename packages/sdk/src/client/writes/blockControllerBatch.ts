import type { Hash } from "viem";
import { checkArguments } from "../../arguments.ts";
import { type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";
import type { BlockControllerParameters } from "./blockController.ts";

export type BlockControllerBatchParameters = { blocks: readonly BlockControllerParameters[] };

/**
 * Builds the call that {@link blockControllerBatch} sends.
 *
 * @example
 * const call = client.prepareBlockControllerBatch({ blocks: [{ did, controller: newcomer, until }] });
 * call.functionName; // "blockControllerBatch"
 */
export const prepareBlockControllerBatch = (
  context: ClientContext,
  { blocks }: BlockControllerBatchParameters,
) =>
  ({
    ...resolverContract(context),
    functionName: "blockControllerBatch",
    args: [
      blocks.map((block) => {
        checkArguments("did controller until", block);
        return { didHash: toDidHash(block.did), account: block.controller, until: BigInt(block.until) };
      }),
    ],
  }) as const;

/**
 * Blocks several accounts of one or more DIDs, or extends their blocks. Reverts without blocking any if one of them
 * can't be blocked.
 *
 * @example
 * const hash = await client.blockControllerBatch({ blocks: [{ did, controller: newcomer, until }] });
 * await client.waitForReceipt({ hash });
 */
export const blockControllerBatch = async (
  context: ClientContext,
  { account, ...parameters }: BlockControllerBatchParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareBlockControllerBatch(context, parameters), { account });
