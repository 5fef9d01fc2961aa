import { type AtBlock, type ClientContext, didKey, resolverContract } from "../context.ts";
import { readView } from "../readView.ts";

/**
 * Reads whether any issuer ever attested a controller of a DID. If so, newcomers wait.
 *
 * @example
 * await client.isClaimed(did); // true
 */
export const isClaimed = async (context: ClientContext, did: string, at?: AtBlock): Promise<boolean> =>
  readView(context, resolverContract(context), "isClaimed", [didKey(did)], at);
