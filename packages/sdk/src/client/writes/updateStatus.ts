import type { Hash } from "viem";
import { normalizeDid } from "../../did.ts";
import { type ClientContext, registryContract } from "../context.ts";
import type { AppStatus } from "../records.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type UpdateStatusParameters = { did: string; major: number; status: AppStatus };

/**
 * Builds the call that {@link updateStatus} sends.
 *
 * @example
 * const call = client.prepareUpdateStatus({ did, major: 1, status: 1 });
 * call.functionName; // "updateStatus"
 */
export const prepareUpdateStatus = (context: ClientContext, { did, major, status }: UpdateStatusParameters) =>
  ({
    ...registryContract(context),
    functionName: "updateStatus",
    args: [normalizeDid(did), major, status],
  }) as const;

/**
 * Sets a record's status. A current controller may always set Deprecated or Replaced.
 *
 * @example
 * const hash = await client.updateStatus({ did, major: 1, status: 1 });
 * await client.waitForReceipt({ hash });
 */
export const updateStatus = async (
  context: ClientContext,
  { account, ...parameters }: UpdateStatusParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareUpdateStatus(context, parameters), { account });
