import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { InvalidArgumentError } from "../errors/refusalErrors.ts";
import { checkDocument, type DocumentCheck } from "./document.ts";
import { getMessage, isOfCaller } from "./facts.ts";
import type { FetchDocument } from "./fetchDocument.ts";
import type { Target } from "./target.ts";

/** Runs a function within the remaining time. */
export type InTime = <Result>(what: string, run: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;

/** Reads the chain's copy of the version's JSON. Returns `undefined` if the JSON is not on the chain. */
export async function readChainCopy(
  client: AppRegistryClient,
  target: Target,
  blockNumber: bigint,
  inTime: InTime,
): Promise<DocumentCheck | undefined> {
  const location = client.deployment.contracts.AppMetadata.address;
  try {
    const text = await inTime("The chain's RPC endpoint", () => chainText(client, target, blockNumber));
    return text === undefined ? undefined : checkDocument("chain", location, text, target);
  } catch (error) {
    if (isOfCaller(error)) throw error;
    return { source: "chain", location, state: "unavailable", reason: getMessage(error) };
  }
}

async function chainText(
  client: AppRegistryClient,
  target: Target,
  blockNumber: bigint,
): Promise<string | undefined> {
  const { did, dataHash, version, current } = target;
  if (!current) return target.pointer && client.getMetadataAt(target.pointer, { blockNumber });
  const stored = await client.getMetadata(did, { blockNumber });
  if (!stored) return undefined;
  if (stored.dataHash === dataHash) return stored.json;
  // The latest JSON belongs to another version. The events show if this version's JSON was ever stored.
  const { pointer } = await client.getVersionRecord({ did, version, blockNumber });
  return pointer && client.getMetadataAt(pointer, { blockNumber });
}

/** Reads the document at dataUrl. Returns `undefined` if the caller passed no `fetchDocument`. */
export async function readDataUrl(
  target: Target,
  fetchDocument: FetchDocument | undefined,
  inTime: InTime,
): Promise<DocumentCheck | undefined> {
  if (!fetchDocument) return undefined;
  const { dataUrl } = target;
  try {
    const text = await inTime(`The host of ${dataUrl}`, (signal) => fetchDocument(dataUrl, { signal }));
    if (typeof text !== "string")
      throw new InvalidArgumentError("fetchDocument: expected a function that returns a text");
    return checkDocument("dataUrl", dataUrl, text, target);
  } catch (error) {
    if (isOfCaller(error)) throw error;
    return { source: "dataUrl", location: dataUrl, state: "unavailable", reason: getMessage(error) };
  }
}
