import type { Deployment } from "@app-registry/sdk";
import { formatVersion } from "@app-registry/sdk";
import { appRegistryAbi, resolverAbi } from "@app-registry/sdk/abi";
import { type Address, decodeFunctionData, type Hex, isAddressEqual } from "viem";

/** A transaction in plain words. */
export interface TransactionDescription {
  /** What confirming it does, as a sentence. */
  sentence: string;
  /** What else is worth knowing before it is signed. */
  details: string[];
  contract: string;
  functionName: string;
}

const statusNames = ["Active", "Deprecated", "Replaced"];

const bytes = (json: string): string => new TextEncoder().encode(json).length.toLocaleString("en");

function storage(json: string): string {
  return json === ""
    ? "The metadata JSON is not stored on the chain; readers fetch it from the data URL."
    : `Stores ${bytes(json)} bytes of metadata JSON on the chain.`;
}

function describeRegistryCall(data: Hex): Omit<TransactionDescription, "contract"> {
  const call = decodeFunctionData({ abi: appRegistryAbi, data });
  const { functionName } = call;
  if (functionName === "mint") {
    const [did, , dataUrl, , , , , major, minor, patch, , json] = call.args;
    const sentence = `Register ${did}, version ${formatVersion({ major, minor, patch })}. You become its minter and hold its token.`;
    return { sentence, details: [`Data URL: ${dataUrl}`, storage(json)], functionName };
  }
  if (functionName === "updateAppControlled") {
    const [did, major, dataUrl, , , , , minor, patch, json] = call.args;
    const sentence = `Publish version ${formatVersion({ major, minor, patch })} of ${did}.`;
    return { sentence, details: [`Data URL: ${dataUrl || "unchanged"}`, storage(json)], functionName };
  }
  if (functionName === "updateStatus") {
    const [did, major, status] = call.args;
    const sentence = `Mark major version ${major} of ${did} as ${statusNames[status] ?? status}.`;
    return { sentence, details: [], functionName };
  }
  return { sentence: `Call ${functionName} of the registry.`, details: [], functionName };
}

function describeResolverCall(data: Hex): Omit<TransactionDescription, "contract"> {
  const { functionName } = decodeFunctionData({ abi: resolverAbi, data });
  const sentence =
    functionName === "attestDIDBySignature"
      ? "Bring the issuer's signed statement that you control this DID to the resolver."
      : functionName === "attestDataHashBySignature"
        ? "Bring the issuer's signed statement about this dataHash to the resolver."
        : `Call ${functionName} of the resolver.`;
  return { sentence, details: [], functionName };
}

/** Says what a transaction to one of the registry's contracts does; undefined for any other transaction. */
export function describeTransaction(
  transaction: { to?: Address | null | undefined; data?: Hex | undefined },
  deployment: Deployment,
): TransactionDescription | undefined {
  const { to, data } = transaction;
  if (!to || !data) return undefined;
  const { AppRegistry, ResolverWithStore } = deployment.contracts;
  try {
    if (isAddressEqual(to, AppRegistry.address))
      return { contract: "App Registry", ...describeRegistryCall(data) };
    if (isAddressEqual(to, ResolverWithStore.address))
      return { contract: "Resolver", ...describeResolverCall(data) };
  } catch {
    return undefined;
  }
  return undefined;
}
