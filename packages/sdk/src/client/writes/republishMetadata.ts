import type { Hash } from "viem";
import { normalizeDid } from "../../did.ts";
import { type ClientContext, registryContract } from "../context.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type RepublishMetadataParameters = {
  did: string;
  major: number;
  /** Canonical JSON text (RFC 8785) that hashes to the record's dataHash. */
  metadataJson: string;
};

/**
 * Builds the call that {@link republishMetadata} sends.
 *
 * @example
 * const call = client.prepareRepublishMetadata({ did, major: 1, metadataJson });
 * call.functionName; // "republishMetadata"
 */
export const prepareRepublishMetadata = (
  context: ClientContext,
  { did, major, metadataJson }: RepublishMetadataParameters,
) =>
  ({
    ...registryContract(context),
    functionName: "republishMetadata",
    args: [normalizeDid(did), major, metadataJson],
  }) as const;

/**
 * Stores the JSON of a record's current version again, as the DID's latest JSON.
 *
 * @example
 * const hash = await client.republishMetadata({ did, major: 1, metadataJson });
 * await client.waitForReceipt({ hash });
 */
export const republishMetadata = async (
  context: ClientContext,
  { account, ...parameters }: RepublishMetadataParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareRepublishMetadata(context, parameters), { account });
