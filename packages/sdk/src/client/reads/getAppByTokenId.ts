import { type BlockParameter, type ClientContext, registryContract } from "../context.ts";
import { readView } from "../readView.ts";
import { type App, toApp } from "../records.ts";

/**
 * Reads the record of a token, with its full version history.
 *
 * @throws {ContractRevertError} `TokenNotFound` when no record has this token id.
 * @example
 * (await client.getAppByTokenId(tokenId)).did === did; // true
 */
export async function getAppByTokenId(
  context: ClientContext,
  tokenId: bigint,
  at?: BlockParameter,
): Promise<App> {
  return toApp(await readView(context, registryContract(context), "getAppByTokenId", [tokenId], at));
}
