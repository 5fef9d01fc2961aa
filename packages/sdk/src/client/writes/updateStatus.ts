import type { Hash } from "viem";
import { normalizeDid } from "../../did.ts";
import { type ClientContext, registryContract } from "../context.ts";
import type { AppStatus } from "../records.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type UpdateStatusParameters = { did: string; major: number; status: AppStatus };

/** Builds the call that {@link updateStatus} sends. */
export const prepareUpdateStatus = (context: ClientContext, { did, major, status }: UpdateStatusParameters) =>
  ({
    ...registryContract(context),
    functionName: "updateStatus",
    args: [normalizeDid(did), major, status],
  }) as const;

/** Sets a record's status. A controller who counts may always set Deprecated or Replaced. */
export const updateStatus = async (
  context: ClientContext,
  { account, ...parameters }: UpdateStatusParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareUpdateStatus(context, parameters), { account });
