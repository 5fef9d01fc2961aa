import { normalizeDid } from "../../did.ts";
import { type BlockParameter, type ClientContext, registryContract } from "../context.ts";
import { readView } from "../readView.ts";
import { type App, toApp } from "../records.ts";

export type GetAppParameters = BlockParameter & { did: string; major: number };

/**
 * Reads a record with its full version history.
 *
 * @throws {ContractRevertError} `AppNotFound` when the DID has no such record.
 * @example
 * const { dataUrl, versionHistory } = await client.getApp({ did, major: 1 });
 * versionHistory.length; // 1
 */
export async function getApp(context: ClientContext, { did, major, ...at }: GetAppParameters): Promise<App> {
  return toApp(await readView(context, registryContract(context), "getApp", [normalizeDid(did), major], at));
}
