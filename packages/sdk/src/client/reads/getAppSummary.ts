import { normalizeDid } from "../../did.ts";
import { type BlockParameter, type ClientContext, registryContract } from "../context.ts";
import { readView } from "../readView.ts";
import { type AppSummary, toAppSummary } from "../records.ts";

export type GetAppSummaryParameters = BlockParameter & { did: string; major: number };

/**
 * Reads a record without its history: with its token id, holder and latest version.
 *
 * @throws {ContractRevertError} `AppNotFound` when the DID has no such record.
 * @example
 * const { owner, latestVersion } = await client.getAppSummary({ did, major: 1 });
 * formatVersion(latestVersion); // "1.0.0"
 */
export async function getAppSummary(
  context: ClientContext,
  { did, major, ...at }: GetAppSummaryParameters,
): Promise<AppSummary> {
  const args = [normalizeDid(did), major] as const;
  return toAppSummary(await readView(context, registryContract(context), "getAppSummary", args, at));
}
