import { normalizeDid } from "../../did.ts";
import { type ClientContext, registryContract } from "../context.ts";
import { readView } from "../readView.ts";
import type { VersionOrder } from "../records.ts";
import type { GetAppSummaryParameters } from "./getAppSummary.ts";

const orders: readonly VersionOrder[] = ["rising", "lowered", "open"];

/**
 * Returns the rule for the next version of a record.
 *
 * @throws {ContractRevertError} `AppNotFound` when the DID has no such record.
 * @example
 * await client.versionOrder({ did, major: 1 }); // "rising"
 */
export async function versionOrder(
  context: ClientContext,
  { did, major, ...at }: GetAppSummaryParameters,
): Promise<VersionOrder> {
  const args = [normalizeDid(did), major] as const;
  return orders[await readView(context, registryContract(context), "versionOrder", args, at)] ?? "rising";
}
