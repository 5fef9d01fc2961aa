import type { Address, Hash } from "viem";
import { type ClientContext, resolverContract } from "../context.ts";
import { didKey } from "../didKey.ts";
import { type Expiry, toExpiresAt } from "../expiry.ts";
import { type SendOptions, sendCall } from "../sendCall.ts";

export type AttestDidParameters = Expiry & { did: string; controller: Address };

/** Builds the call that {@link attestDid} sends. */
export const prepareAttestDid = (
  context: ClientContext,
  { did, controller, ...expiry }: AttestDidParameters,
) =>
  ({
    ...resolverContract(context),
    functionName: "attestDID",
    args: [didKey(did), controller, toExpiresAt(expiry)],
  }) as const;

/** Attests that an account controls a DID. Issuers only; attesting again renews. */
export const attestDid = async (
  context: ClientContext,
  { account, ...parameters }: AttestDidParameters & SendOptions,
): Promise<Hash> => sendCall(context, prepareAttestDid(context, parameters), { account });
