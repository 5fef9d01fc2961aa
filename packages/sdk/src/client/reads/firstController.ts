import { type Address, zeroAddress } from "viem";
import { type AtBlock, type ClientContext, resolverContract } from "../context.ts";
import { didKey } from "../didKey.ts";
import { readView } from "../readView.ts";

/**
 * Reads the first controller ever recorded for a DID; undefined when nobody was.
 *
 * @example
 * (await client.firstController(did)) === controller; // true
 */
export async function firstController(
  context: ClientContext,
  did: string,
  at?: AtBlock,
): Promise<Address | undefined> {
  const first = await readView(context, resolverContract(context), "firstController", [didKey(did)], at);
  return first === zeroAddress ? undefined : first;
}
