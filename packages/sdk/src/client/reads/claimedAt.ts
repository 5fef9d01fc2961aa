import { type BlockParameter, type ClientContext, resolverContract, toDidHash } from "../context.ts";
import { readView } from "../readView.ts";
import { toUnixTime } from "../times.ts";

/**
 * Returns the time in Unix seconds at which an issuer first attested a controller of a DID. Returns `undefined` if no
 * issuer ever did. Every account attested later waits for control.
 *
 * @example
 * const time = await client.claimedAt({ did });
 * if (time) console.log(new Date(time * 1000));
 */
export const claimedAt = async (
  context: ClientContext,
  { did, ...at }: BlockParameter & { did: string },
): Promise<number | undefined> =>
  toUnixTime(await readView(context, resolverContract(context), "claimedAt", [toDidHash(did)], at));
