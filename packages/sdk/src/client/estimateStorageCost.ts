import { zeroHash } from "viem";
import { estimateContractGas, getGasPrice } from "viem/actions";
import { type ClientContext, getContract } from "./context.ts";

/** Gas of a version that stores no JSON, as measured in `docs/contracts.md`. A publisher's first record needs more. */
const RECORD_GAS = { mint: 230_000n, update: 56_000n };

/**
 * Estimates the cost in wei of a publication that stores only the hash of a JSON, and of one that also stores the JSON.
 * Needs no control of a DID: simulates the registry's own call of the metadata store. Rejects if the JSON is too large.
 */
export async function estimateStorageCost(
  context: ClientContext,
  { json, isUpdate }: { json: string; isUpdate: boolean },
): Promise<{ hash: bigint; chain: bigint }> {
  const args = ["", zeroHash, 1, 0, 0, zeroHash, 0, json, true] as const;
  const account = context.deployment.contracts.AppRegistry.address;
  const call = {
    ...getContract(context, "AppMetadata"),
    functionName: "setMetadata",
    args,
    account,
  } as const;
  const [gas, price] = await Promise.all([
    estimateContractGas(context.publicClient, call),
    getGasPrice(context.publicClient),
  ]);
  const hash = isUpdate ? RECORD_GAS.update : RECORD_GAS.mint;
  return { hash: hash * price, chain: (hash + gas) * price };
}
