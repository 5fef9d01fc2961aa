import { zeroHash } from "viem";
import { estimateContractGas } from "viem/actions";
import { toRpcError } from "../errors/toRpcError.ts";
import { MAX_STORED_METADATA_SIZE } from "../metadata/limits.ts";
import { type ClientContext, getContract } from "./context.ts";

/**
 * Gas of a version that stores no JSON: of a new record and of an update. `docs/contracts.md` has the measurements; the
 * first record of a publisher needs somewhat more.
 */
const RECORD_GAS = { mint: 250_000n, update: 56_000n };

/** Gas of a transaction that does nothing. The record's transaction already pays for it. */
const TRANSACTION_GAS = 21_000n;

/**
 * Estimates the gas of a publication that stores only the hash of a JSON, and of one that also stores the JSON. Needs
 * no control of a DID: simulates the registry's own call of the metadata store. `chain` is `undefined` if the JSON is
 * too large to store.
 */
export async function estimateStorageGas(
  context: ClientContext,
  { json, isUpdate }: { json: string; isUpdate: boolean },
): Promise<{ hash: bigint; chain: bigint | undefined }> {
  const hash = isUpdate ? RECORD_GAS.update : RECORD_GAS.mint;
  if (new TextEncoder().encode(json).length > MAX_STORED_METADATA_SIZE) return { hash, chain: undefined };
  const gas = await estimateContractGas(context.publicClient, {
    ...getContract(context, "AppMetadata"),
    functionName: "setMetadata",
    args: ["", zeroHash, 1, 0, 0, zeroHash, 0, json, true],
    account: context.deployment.contracts.AppRegistry.address,
  }).catch((error: unknown) => {
    throw toRpcError(error);
  });
  return { hash, chain: hash + gas - TRANSACTION_GAS };
}
