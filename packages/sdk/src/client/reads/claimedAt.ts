import { type AtBlock, type ClientContext, didKey, resolverContract } from "../context.ts";
import { readView } from "../readView.ts";
import { toTime } from "../times.ts";

/**
 * Reads when an issuer first attested a controller of a DID, in Unix seconds; `undefined` if none ever did. Every later
 * account waits for control.
 *
 * @example
 * const time = await client.claimedAt({ did });
 * if (time) console.log(new Date(time * 1000));
 */
export const claimedAt = async (
  context: ClientContext,
  { did, ...at }: AtBlock & { did: string },
): Promise<number | undefined> =>
  toTime(await readView(context, resolverContract(context), "claimedAt", [didKey(did)], at));
