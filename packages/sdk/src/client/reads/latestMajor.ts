import { hashCanonicalDid, normalizeDid } from "../../did.ts";
import { ContractRevertError } from "../../errors/contractRevertError.ts";
import { type BlockParameter, type ClientContext, registryContract } from "../context.ts";
import { formatUnknownDidMessage, isAppNotFound } from "../notRegistered.ts";
import { readView } from "../readView.ts";

/**
 * Returns the highest registered major version of a DID.
 *
 * @throws {ContractRevertError} `AppNotFound` when the DID has no record.
 * @example
 * await client.latestMajor(did); // 1
 */
export async function latestMajor(context: ClientContext, did: string, at?: BlockParameter): Promise<number> {
  const canonical = normalizeDid(did);
  try {
    return await readView(
      context,
      registryContract(context),
      "latestMajor",
      [hashCanonicalDid(canonical)],
      at,
    );
  } catch (error) {
    if (!isAppNotFound(error)) throw error;
    // The contract's error has only the major version 0 and a hash, so this names the DID instead.
    const words = formatUnknownDidMessage(canonical);
    throw new ContractRevertError("AppNotFound", error.args, { cause: error.cause, words });
  }
}
