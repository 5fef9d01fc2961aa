import type { Hash } from "viem";
import { normalizeDid } from "../../did.ts";
import { type ClientContext, registryContract } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type OpenReclaimParameters = { did: string; major: number };

/**
 * Builds the call that {@link openReclaim} sends.
 *
 * @example
 * const call = client.prepareOpenReclaim({ did, major: 1 });
 * call.functionName; // "openReclaim"
 */
export const prepareOpenReclaim = (context: ClientContext, { did, major }: OpenReclaimParameters) =>
  ({ ...registryContract(context), functionName: "openReclaim", args: [normalizeDid(did), major] }) as const;

/**
 * Opens the sender's reclaim of a record whose minter and holder do not resist it (see `resistsReclaim`). The sender
 * must control the DID.
 *
 * @example
 * const hash = await client.openReclaim({ did, major: 1 });
 * await client.waitForReceipt({ hash });
 */
export const openReclaim = async (
  context: ClientContext,
  { account, ...parameters }: OpenReclaimParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareOpenReclaim(context, parameters), { account });
