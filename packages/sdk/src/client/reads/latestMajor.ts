import { type AtBlock, type ClientContext, registryContract } from "../context.ts";
import { didKey } from "../didKey.ts";
import { readView } from "../readView.ts";

/**
 * Reads the highest registered major version of a DID.
 *
 * @throws {ContractRevertError} `AppNotFound` when the DID has no record.
 * @example
 * await client.latestMajor(did); // 1
 */
export async function latestMajor(context: ClientContext, did: string, at?: AtBlock): Promise<number> {
  return readView(context, registryContract(context), "latestMajor", [didKey(did)], at);
}
