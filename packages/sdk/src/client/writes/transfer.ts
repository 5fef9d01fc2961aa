import type { Address, Hash } from "viem";
import { type ClientContext, registryContract } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type TransferParameters = { from: Address; to: Address; tokenId: bigint };

/**
 * Builds the call that {@link transfer} sends.
 *
 * @example
 * const call = client.prepareTransfer({ from: owner, to: newcomer, tokenId });
 * call.functionName; // "safeTransferFrom"
 */
export const prepareTransfer = (context: ClientContext, { from, to, tokenId }: TransferParameters) =>
  ({
    ...registryContract(context),
    functionName: "safeTransferFrom",
    args: [from, to, tokenId],
  }) as const;

/**
 * Transfers a record's token to another account (ERC-721 `safeTransferFrom`). Does not transfer control of the DID.
 *
 * @example
 * const hash = await client.transfer({ from: owner, to: newcomer, tokenId });
 * await client.waitForReceipt({ hash });
 */
export const transfer = async (
  context: ClientContext,
  { account, ...parameters }: TransferParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareTransfer(context, parameters), { account });
